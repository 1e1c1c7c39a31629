import { nothingKnown } from './actions.js';
import type {
  ActionStateFacts,
  ApprovalBinding,
  ComparedFacts,
  ControlStateFacts,
  DecisionFacts,
  EnvelopeFacts,
  FrozenAction,
  SealingFacts,
} from './facts.js';
import { schemaVersion } from './vocabulary.js';

/**
 * Facts as they stand in the store. Those of an envelope of the first version stand there in the form in which every
 * release has written them, with its one action apart: a replica of an earlier one reads them too.
 */
export type StoredFacts = DecisionFacts | FlatComparedFacts | FlatSealingFacts;

interface FlatComparedFacts extends Omit<ComparedFacts, 'envelope' | 'current'> {
  readonly envelope: FlatEnvelope;
  readonly current: FlatState;
}

interface FlatSealingFacts extends Omit<SealingFacts, 'envelope' | 'current' | 'first_bindings'> {
  readonly envelope: FlatEnvelope;
  readonly current: FlatState | null;
  readonly first_binding: ApprovalBinding | null;
}

type FlatEnvelope = Omit<EnvelopeFacts, 'actions'> & { readonly action: FrozenAction };

type TenantWide = 'recorded_policy_version' | 'revisions';
type FlatState = Omit<ControlStateFacts, 'actions' | TenantWide> &
  Omit<ActionStateFacts, 'recorded_capability_version' | 'capability_revision'> & {
    readonly recorded_versions?: { policy_version: string | null; capability_version: string | null };
    readonly revisions?: { policy: number | null; capability: number | null; principal: number | null };
  };

/** What is stored of a decision's facts. */
export function toStoredFacts(facts: DecisionFacts): StoredFacts {
  if (facts.kind === 'refused' || facts.envelope.schema_version !== schemaVersion) return facts;
  const { actions, ...envelope } = facts.envelope;
  const [action, ...more] = actions;
  // The form holds one: others would be lost in it.
  if (!action || more.length > 0) return facts;
  const flat = { ...envelope, action };
  if (facts.kind === 'compared') return { ...facts, envelope: flat, current: flattened(facts.current) };
  const { first_bindings, ...others } = facts;
  return {
    ...others,
    envelope: flat,
    first_binding: first_bindings[0] ?? null,
    current: facts.current && flattened(facts.current),
  };
}

/** The facts of a decision that was stored, by this release or an earlier one. */
export function fromStoredFacts(stored: StoredFacts): DecisionFacts {
  if (!isFlat(stored)) return stored;
  const { action, ...rest } = stored.envelope;
  const envelope = { ...rest, actions: [action] };
  if (stored.kind === 'compared') return { ...stored, envelope, current: unfolded(stored.current) };
  const { first_binding, ...others } = stored;
  return {
    ...others,
    envelope,
    first_bindings: [first_binding],
    current: stored.current && unfolded(stored.current),
  };
}

function isFlat(stored: StoredFacts): stored is FlatComparedFacts | FlatSealingFacts {
  return stored.kind !== 'refused' && 'action' in stored.envelope;
}

function flattened({
  actions,
  recorded_policy_version,
  revisions,
  ...current
}: ControlStateFacts): FlatState {
  const { recorded_capability_version, capability_revision, ...state } = actions[0] ?? nothingKnown;
  return {
    ...current,
    ...state,
    ...((recorded_policy_version ?? recorded_capability_version) !== undefined && {
      recorded_versions: {
        policy_version: recorded_policy_version ?? null,
        capability_version: recorded_capability_version ?? null,
      },
    }),
    ...(revisions && { revisions: { ...revisions, capability: capability_revision ?? null } }),
  };
}

function unfolded(state: FlatState): ControlStateFacts {
  const { capability_version, approval, side_effect, recorded_versions, revisions, ...current } = state;
  return {
    ...current,
    ...(recorded_versions && { recorded_policy_version: recorded_versions.policy_version }),
    ...(revisions && { revisions: { policy: revisions.policy, principal: revisions.principal } }),
    actions: [
      {
        capability_version,
        ...(recorded_versions && { recorded_capability_version: recorded_versions.capability_version }),
        ...(revisions && { capability_revision: revisions.capability }),
        approval,
        side_effect,
      },
    ],
  };
}
