import type { Static, TSchema } from '@sinclair/typebox';

import type { EnvelopeFacts, FrozenAction } from '../facts.js';
import { schemaVersion, schemaVersion2 } from '../vocabulary.js';
import type { FrozenAtSealing, SealedEnvelope } from './sealed.js';
import { actionsInCommon, factsInCommon, versionOf } from './unknown.js';
import { actionsOfV1, ContinuityEnvelope, factsOfV1 } from './v1.js';
import { actionsOfV2, ContinuityEnvelopeV2, factsOfV2 } from './v2.js';

/** Every version of the envelope that this gate accepts and resumes from: what is not here is refused by the rules. */
const versions = [
  version(schemaVersion, ContinuityEnvelope, actionsOfV1, factsOfV1),
  version(schemaVersion2, ContinuityEnvelopeV2, actionsOfV2, factsOfV2),
] as const;

/** An envelope of any version that this gate knows. */
export type KnownEnvelope = Static<(typeof versions)[number]['schema']>;

/** What an envelope contributes to a decision, whichever version it was sealed in. */
export function envelopeFacts(sealed: SealedEnvelope): EnvelopeFacts {
  for (const { toFacts } of versions) {
    const facts = toFacts(sealed);
    if (facts) return facts;
  }
  return factsInCommon(sealed);
}

/** The actions that an envelope has frozen, in its order: what governed storage is asked about. */
export function frozenActionsOf(envelope: unknown): FrozenAction[] {
  for (const { toActions } of versions) {
    const actions = toActions(envelope);
    if (actions) return actions;
  }
  return actionsInCommon(envelope);
}

/** What is stored under a version was read by its schema when it was sealed; whether it still is that, its digest tells. */
export function isKnown(envelope: unknown): envelope is KnownEnvelope {
  const version = versionOf(envelope);
  return version !== undefined && isKnownVersion(version);
}

export function isKnownVersion(version: string): boolean {
  return versions.some(({ schema_version }) => schema_version === version);
}

function version<Schema extends TSchema>(
  schema_version: string,
  schema: Schema,
  actionsOf: (envelope: Static<Schema>) => FrozenAction[],
  factsOf: (envelope: Static<Schema>, frozen: FrozenAtSealing) => EnvelopeFacts,
) {
  const isOfIt = (envelope: unknown): envelope is Static<Schema> => versionOf(envelope) === schema_version;
  const toFacts = ({ envelope, ...frozen }: SealedEnvelope) =>
    isOfIt(envelope) ? factsOf(envelope, frozen) : undefined;
  const toActions = (envelope: unknown) => (isOfIt(envelope) ? actionsOf(envelope) : undefined);
  return { schema_version, schema, toActions, toFacts };
}
