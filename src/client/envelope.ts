import { summaryDigest } from './digest.js';
import type { Envelope } from './wire.js';

/** The frozen action of an envelope, and what is known of its effect. */
export type PendingAction = Pick<
  Envelope,
  | 'capability_name'
  | 'capability_version'
  | 'approval_id'
  | 'approval_expires_at'
  | 'action_digest'
  | 'idempotency_key'
> &
  // What nobody says of an effect is not known.
  Partial<Pick<Envelope, 'side_effect_status'>>;

/** What a runtime knows at the boundary. Nothing that binds the run may be left out of it by default. */
export interface ControlState
  extends
    Pick<
      Envelope,
      | 'tenant_id'
      | 'session_id'
      | 'principal_id'
      | 'source_trace_id'
      | 'objective'
      | 'authorization_mode'
      | 'policy_version'
      | 'checkpoint_ref'
      | 'exact_constraint_refs'
      | 'pending_obligations'
      | 'source_event_range'
    >,
    Partial<
      Pick<
        Envelope,
        | 'envelope_id'
        | 'reset_reason'
        | 'delegated_principal_id'
        | 'delegated_scope'
        | 'sandbox_snapshot_ref'
        | 'budget_remaining'
        | 'evidence_refs'
      >
    > {
  readonly pending_action: PendingAction;
}

/**
 * The envelope of a control state and a summary. Its defaults only ever make it stricter: an effect that nobody speaks of
 * is unknown, and so blocks the resume until it is settled.
 */
export async function envelopeOf(state: ControlState, summary: string): Promise<Envelope> {
  const { pending_action, ...others } = state;
  return {
    envelope_id: `envelope-${crypto.randomUUID()}`,
    reset_reason: 'context_compaction',
    delegated_principal_id: '',
    delegated_scope: '',
    evidence_refs: [`trace:${state.source_trace_id}`],
    ...defined(others),
    side_effect_status: 'side_effect_unknown',
    ...defined(pending_action),
    schema_version: 'continuity-envelope/v1',
    summary_sha256: await summaryDigest(summary),
    requires_reauthorization: true,
  };
}

/** Without the members that are undefined, which would hide a default. */
function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}
