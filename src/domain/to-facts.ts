import type { AttestedControlState } from './control-state.js';
import { canonicalDigest, sha256Digest } from './digest.js';
import type { InspectedEnvelope } from './envelope.js';
import type { ControlStateFacts, EnvelopeFacts } from './facts.js';
import type { PrincipalStatus } from './vocabulary.js';

/** What governed storage froze beside an envelope when it was sealed. */
export interface FrozenAtSealing {
  readonly envelope_sha256: string;
  /** Running digest of the session's event log at the range's last event; null where there was no log. */
  readonly lineage_sha256: string | null;
  /** Digest of each referenced constraint that governed storage held, by reference. */
  readonly constraint_digests: Readonly<Record<string, string>>;
}

/** The envelope's digest: over its canonical JSON, absent optional fields left out. */
export function envelopeDigest(envelope: InspectedEnvelope): string {
  return canonicalDigest(envelope);
}

/** What an envelope contributes to a decision: the objective only as its digest. */
export function envelopeFacts(envelope: InspectedEnvelope, frozen: FrozenAtSealing): EnvelopeFacts {
  const constraintDigests = new Map(Object.entries(frozen.constraint_digests));
  return {
    schema_version: envelope.schema_version,
    envelope_id: envelope.envelope_id,
    envelope_sha256: frozen.envelope_sha256,
    tenant_id: envelope.tenant_id,
    session_id: envelope.session_id,
    principal_id: envelope.principal_id,
    source_trace_id: envelope.source_trace_id,
    authorization_mode: envelope.authorization_mode,
    delegated_principal_id: envelope.delegated_principal_id,
    delegated_scope: envelope.delegated_scope,
    policy_version: envelope.policy_version,
    action: {
      capability_name: envelope.capability_name,
      capability_version: envelope.capability_version,
      approval_id: envelope.approval_id,
      action_digest: envelope.action_digest,
      approval_expires_at: envelope.approval_expires_at,
      idempotency_key: envelope.idempotency_key,
      side_effect_status: envelope.side_effect_status,
    },
    checkpoint_ref: envelope.checkpoint_ref,
    sandbox_snapshot_ref: envelope.sandbox_snapshot_ref ?? null,
    budget_remaining: envelope.budget_remaining ?? null,
    objective_sha256: envelope.objective === undefined ? null : sha256Digest(envelope.objective),
    constraints: (envelope.exact_constraint_refs ?? []).map((ref) => ({
      ref,
      frozen_sha256: constraintDigests.get(ref) ?? null,
    })),
    pending_obligations: envelope.pending_obligations ?? [],
    source_event_range: envelope.source_event_range ?? null,
    lineage_sha256: frozen.lineage_sha256,
    summary_sha256: envelope.summary_sha256,
  };
}

/** What the tenant's own records say of what is common to its sessions; null where there is no such record. */
interface TenantRecords {
  readonly policy_version: string | null;
  readonly capability_version: string | null;
  readonly principal_status: PrincipalStatus | null;
  readonly revisions: NonNullable<ControlStateFacts['revisions']>;
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
    capability_version: state.capability_version,
    ...(recorded && {
      recorded_versions: {
        policy_version: recorded.policy_version,
        capability_version: recorded.capability_version,
      },
      revisions: recorded.revisions,
    }),
    approval: { approval_status: state.approval_status },
    side_effect: {
      capability_name: state.capability_name,
      approval_id: state.approval_id,
      action_digest: state.action_digest,
      side_effect_status: state.side_effect_status,
      reconciled: false,
    },
    other_unknown_side_effects: [],
    ...(state.exact_constraint_refs && { constraints: state.exact_constraint_refs.map(attestedConstraint) }),
    ...(state.pending_obligations && { obligations: state.pending_obligations.map(openObligation) }),
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
