/**
 * Every literal that appears on the wire or in the store, each in one place. Those of the reasons are in `rules.ts` and
 * `reasons.ts`, beside what they mean.
 *
 * These are stable identifiers: runtimes branch on them, operators search for them, SQL views group by them.
 */

export const schemaVersion = 'continuity-envelope/v1';

/** The version whose envelopes hold none or several actions. */
export const schemaVersion2 = 'continuity-envelope/v2';

export const authorizationModes = ['platform_owned', 'user_delegated', 'human_approved'] as const;

export const sideEffectStatuses = ['not_started', 'side_effect_committed', 'side_effect_unknown'] as const;
export type SideEffectStatus = (typeof sideEffectStatuses)[number];

export const approvalStatuses = ['approved', 'pending', 'rejected', 'revoked', 'expired'] as const;

/** What one approver said. */
export const approvalDecisions = ['approved', 'rejected'] as const;

export const sessionStatuses = ['active', 'cancelled', 'ended'] as const;

export const principalStatuses = ['active', 'suspended', 'removed'] as const;
export type PrincipalStatus = (typeof principalStatuses)[number];

export const obligationStatuses = ['open', 'discharged'] as const;

export const constraintStatuses = ['active', 'withdrawn'] as const;

export const resetReasons = [
  'context_compaction',
  'context_reset',
  'process_recovery',
  'role_handoff',
] as const;
export type ResetReason = (typeof resetReasons)[number];

/** Where the current control state came from: the gate's own records, or the caller's attestation. */
export const controlStateSources = ['records', 'attested'] as const;
export type ControlStateSource = (typeof controlStateSources)[number];

/** The two decisions that stop a run. */
export const stopStatuses = ['blocked_on_reconciliation', 'continuity_validation_failed'] as const;

/** The three decisions. None of them is an authorization, and there is no fourth. */
export const decisionStatuses = ['reauthorization_required', ...stopStatuses] as const;
export type DecisionStatus = (typeof decisionStatuses)[number];

export const traceEventTypes = [
  'context_compaction',
  'reset_boundary',
  'context_rehydration',
  'continuity_validation_failed',
  'side_effect_reconciled',
  'control_record_written',
  'store_restored',
] as const;
export type TraceEventType = (typeof traceEventTypes)[number];

export const traceEventSchemaVersion = 'continuity-trace-event/v1';

/** The two moments at which the gate decides: before the boundary (sealing) and after it. */
export const phases = ['compaction', 'rehydration'] as const;
export type Phase = (typeof phases)[number];
