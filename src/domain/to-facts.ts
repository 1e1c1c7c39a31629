import type { AttestedControlState } from './control-state.js';
import type { ControlStateFacts } from './facts.js';
import type { PrincipalStatus } from './vocabulary.js';

/** What the tenant's own records say of what is common to its sessions; null where there is no such record. */
export interface TenantRecords {
  readonly policy_version: string | null;
  readonly principal_status: PrincipalStatus | null;
  readonly delegated_principal_status: PrincipalStatus | null;
  readonly revisions: NonNullable<ControlStateFacts['revisions']>;
  /** In the order of the envelope's actions. */
  readonly capabilities: readonly (RecordedCapability | null)[];
}

/** What the tenant's record of a capability says. */
export interface RecordedCapability {
  readonly capability_version: string;
  readonly revision: number;
}

/**
 * An attested state as facts. What the caller's systems of record don't keep stays absent, so that it is not compared.
 *
 * The tenant's own records, where there are any, hold beside it: whoever is suspended there is suspended here.
 */
export function attestedStateFacts(
  state: AttestedControlState,
  recorded: TenantRecords | null,
): ControlStateFacts {
  const {
    tenant_id,
    policy_version,
    capability_name,
    capability_version,
    approval_id,
    action_digest,
    approval_status,
    side_effect_status,
    exact_constraint_refs,
    pending_obligations,
    ...session
  } = state;
  return {
    source: 'attested',
    tenant_id,
    session: { session_status: 'active', ...session },
    principal_status: recorded?.principal_status ?? null,
    ...(recorded && { delegated_principal_status: recorded.delegated_principal_status }),
    policy_version,
    ...(recorded && { recorded_policy_version: recorded.policy_version, revisions: recorded.revisions }),
    actions: [
      {
        capability_version,
        ...(recorded && recordedBeside(recorded.capabilities[0] ?? null)),
        approval: { approval_status },
        side_effect: { capability_name, approval_id, action_digest, side_effect_status, reconciled: false },
      },
    ],
    other_unknown_side_effects: [],
    ...(exact_constraint_refs && { constraints: exact_constraint_refs.map(attestedConstraint) }),
    ...(pending_obligations && { obligations: pending_obligations.map(openObligation) }),
  };
}

function recordedBeside(capability: RecordedCapability | null) {
  return {
    recorded_capability_version: capability?.capability_version ?? null,
    capability_revision: capability?.revision ?? null,
  };
}

type AttestedConstraint = NonNullable<ControlStateFacts['constraints']>[number];

/** A reference is all that an attested state holds of a constraint: its text stays with the caller. */
function attestedConstraint(ref: string): AttestedConstraint {
  return { ref, forbids_capability: null, constraint_status: 'active' };
}

function openObligation(obligation_id: string) {
  return { obligation_id, obligation_status: 'open' as const };
}
