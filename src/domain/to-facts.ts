import type { AttestedControlState } from './control-state.js';
import type { ControlStateFacts } from './facts.js';
import type { PrincipalStatus } from './vocabulary.js';

/** What the tenant's own records say of what is common to its sessions; null where there is no such record. */
export interface TenantRecords {
  readonly policy_version: string | null;
  readonly principal_status: PrincipalStatus | null;
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
  return {
    source: 'attested',
    tenant_id: state.tenant_id,
    session: {
      session_status: 'active',
      principal_id: state.principal_id,
      authorization_mode: state.authorization_mode,
      delegated_principal_id: state.delegated_principal_id,
      delegated_scope: state.delegated_scope,
      idempotency_key: state.idempotency_key,
      checkpoint_ref: state.checkpoint_ref,
      ...(state.sandbox_snapshot_ref !== undefined && { sandbox_snapshot_ref: state.sandbox_snapshot_ref }),
      ...(state.budget_remaining !== undefined && { budget_remaining: state.budget_remaining }),
    },
    principal_status: recorded?.principal_status ?? null,
    policy_version: state.policy_version,
    ...(recorded && { recorded_policy_version: recorded.policy_version, revisions: recorded.revisions }),
    actions: [
      {
        capability_version: state.capability_version,
        ...(recorded && recordedBeside(recorded.capabilities[0] ?? null)),
        approval: { approval_status: state.approval_status },
        side_effect: {
          capability_name: state.capability_name,
          approval_id: state.approval_id,
          action_digest: state.action_digest,
          side_effect_status: state.side_effect_status,
          reconciled: false,
        },
      },
    ],
    other_unknown_side_effects: [],
    ...(state.exact_constraint_refs && { constraints: state.exact_constraint_refs.map(attestedConstraint) }),
    ...(state.pending_obligations && { obligations: state.pending_obligations.map(openObligation) }),
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
