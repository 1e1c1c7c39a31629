import { Type, type Static } from '@sinclair/typebox';

import { readAs } from '../reader/reading.js';
import { identifier, literalString } from '../schemas.js';
import { schemaVersion2 } from '../vocabulary.js';
import type { EnvelopeFacts } from '../facts.js';
import type { FrozenAtSealing } from './sealed.js';
import { asEnvelope, contentProperties, controlProperties, factsInEveryVersion } from './v1.js';

const {
  capability_name,
  capability_version,
  approval_id,
  action_digest,
  approval_expires_at,
  idempotency_key,
  side_effect_status,
  ...ofTheRun
} = controlProperties;

/** Most calls that can be frozen at one boundary. */
const mostActions = 32;

/** One call that was frozen; in the order in which its fields are checked. */
const PendingAction = readAs(
  Type.Object(
    {
      idempotency_key,
      capability_name,
      capability_version,
      action_digest,
      approval_id: Type.Union([approval_id, Type.Null()], {
        description: 'Approval that it rests on; null only for a capability that needs none.',
      }),
      approval_expires_at: Type.Union([approval_expires_at, Type.Null()], {
        description: 'When the approval runs out; null together with `approval_id`.',
      }),
      side_effect_status,
    },
    { additionalProperties: false },
  ),
  { nullTogether: ['approval_id', 'approval_expires_at'] },
);

/** Where the session comes from; what its record says holds. */
const familyProperties = {
  parent_session_id: Type.Optional(
    identifier('Session that has started this one.', { examples: ['session-support-000'] }),
  ),
  predecessor_session_id: Type.Optional(
    identifier('Session whose work this one takes over.', { examples: ['session-support-000'] }),
  ),
  forked_from_envelope_id: Type.Optional(
    identifier('Envelope of another session that this one starts from.', {
      examples: ['ce-2026-07-21-000'],
    }),
  ),
};

/** The control contract of one boundary at which no call is frozen, or several are. */
export const ContinuityEnvelopeV2 = readAs(
  Type.Object(
    {
      ...ofTheRun,
      schema_version: literalString('schema version', 'Version of this schema.', [schemaVersion2]),
      pending_actions: readAs(
        Type.Array(PendingAction, {
          description:
            'The frozen calls in the order in which they stand, each with a key and an approval of its own.',
          maxItems: mostActions,
        }),
        // One approval binds one side effect: two keys for it would be two calls for one yes.
        { distinct: ['idempotency_key', 'approval_id'] },
      ),
      ...contentProperties,
      ...familyProperties,
    },
    {
      $id: 'ContinuityEnvelopeV2',
      title: 'ContinuityEnvelopeV2',
      description:
        'What must survive a compaction, reset, recovery or handoff without being summarized, with none or several frozen actions.',
      additionalProperties: false,
    },
  ),
  asEnvelope,
);
export type ContinuityEnvelopeV2 = Static<typeof ContinuityEnvelopeV2>;

/** None where a stored one was tampered with and has lost them: its digest stops it. */
export function actionsOfV2({
  pending_actions = [],
}: Partial<Pick<ContinuityEnvelopeV2, 'pending_actions'>>): EnvelopeFacts['actions'] {
  return pending_actions;
}

export function factsOfV2(envelope: ContinuityEnvelopeV2, frozen: FrozenAtSealing): EnvelopeFacts {
  return { ...factsInEveryVersion(envelope, frozen), actions: actionsOfV2(envelope) };
}
