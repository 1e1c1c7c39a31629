import { listsActions, soleAction } from './actions.js';
import type { Decision } from './decide.js';
import type { ControlStateFacts, EnvelopeFacts, PresentedFacts } from './facts.js';
import type { Release } from './requests.js';
import type { Phase, ResetReason, SideEffectStatus, TraceEventType } from './vocabulary.js';

/** What an event says beyond its own columns. No summary, objective, constraint text, token or secret. */
export interface TraceContent {
  readonly event_type: TraceEventType;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The classes of fields that an envelope carries over a boundary without a summary's help. */
export const preservedFieldClasses = [
  'identity',
  'contract_versions',
  'approval_binding',
  'side_effect_state',
  'execution_boundary',
  'constraints_and_obligations',
  'provenance',
] as const;

/** Of an accepted envelope: `context_compaction`, or `reset_boundary` for every other reset reason. */
export function boundaryContent(
  envelope: EnvelopeFacts,
  sealed: { reset_reason: ResetReason | null; session_epoch: number; released: readonly Release[] },
): TraceContent {
  return {
    event_type: sealed.reset_reason === 'context_compaction' ? 'context_compaction' : 'reset_boundary',
    payload: {
      envelope_id: envelope.envelope_id,
      envelope_sha256: envelope.envelope_sha256,
      source_event_range: envelope.source_event_range,
      lineage_sha256: envelope.lineage_sha256,
      summary_sha256: envelope.summary_sha256,
      trigger: sealed.reset_reason,
      preserved_field_classes: preservedFieldClasses,
      released: sealed.released,
      session_epoch: sealed.session_epoch,
    },
  };
}

/** Of a rehydration that found nothing. */
export function rehydrationContent(
  envelope: EnvelopeFacts,
  decision: Decision,
  rehydrated: {
    boundary_event_id: string | null;
    session_epoch: number;
    record_revisions?: RecordRevisions | null;
  },
): TraceContent {
  return {
    event_type: 'context_rehydration',
    payload: {
      boundary_event_id: rehydrated.boundary_event_id,
      checkpoint_ref: envelope.checkpoint_ref,
      versions_reloaded: versionsOf(envelope),
      validation_result: decision.reason,
      authorized: decision.authorized,
      requires_reauthorization: decision.requires_reauthorization,
      session_epoch: rehydrated.session_epoch,
      record_revisions: rehydrated.record_revisions ?? null,
    },
  };
}

/** Of every stop, at either phase; `claimed` are the ids that the caller named, whether they exist or not. */
export function stopContent(
  decision: Pick<Decision, 'status' | 'reason' | 'findings'>,
  stopped: {
    phase: Phase;
    boundary_event_id: string | null;
    claimed: Pick<PresentedFacts, 'envelope_id' | 'session_id' | 'principal_id'>;
    record_revisions?: RecordRevisions | null;
  },
): TraceContent {
  const { envelope_id, session_id, principal_id } = stopped.claimed;
  return {
    event_type: 'continuity_validation_failed',
    payload: {
      phase: stopped.phase,
      status: decision.status,
      reason: decision.reason,
      findings: decision.findings,
      boundary_event_id: stopped.boundary_event_id,
      claimed: { envelope_id, session_id, principal_id },
      record_revisions: stopped.record_revisions ?? null,
    },
  };
}

/** Of a change of a record: which one and to which revision, never what it says. */
export function recordContent(record: { kind: string; id: string; revision: number }): TraceContent {
  return { event_type: 'control_record_written', payload: { ...record } };
}

/** Of an unknown effect that was settled. */
export function reconciliationContent(settled: {
  idempotency_key: string;
  outcome: SideEffectStatus;
  evidence_refs: readonly string[];
  reconciled_by: string;
  revision: number;
}): TraceContent {
  return { event_type: 'side_effect_reconciled', payload: { ...settled } };
}

/** Of a session in a store that was restored from a backup: nobody who resumed it before holds it any more. */
export function restoredContent(restored: {
  incarnation: string;
  previous: string;
  session_epoch: number;
}): TraceContent {
  const { incarnation, previous, session_epoch } = restored;
  return {
    event_type: 'store_restored',
    payload: { incarnation, previous_incarnation: previous, session_epoch },
  };
}

/** Of a caller that was turned away before anything was decided. */
export function refusalContent(refusal: { reason: 'forbidden'; route: string }): TraceContent {
  return {
    event_type: 'continuity_validation_failed',
    payload: {
      phase: 'access',
      status: 'continuity_validation_failed',
      reason: refusal.reason,
      findings: [{ reason: refusal.reason }],
      route: refusal.route,
    },
  };
}

/** The versions that a run is held to: those of its capabilities stand with the actions where these are listed. */
export function versionsOf(envelope: EnvelopeFacts) {
  const { schema_version, policy_version } = envelope;
  if (listsActions(envelope)) return { schema_version, policy_version };
  const { capability_name, capability_version } = soleAction(envelope);
  return { schema_version, policy_version, capability_name, capability_version };
}

/** The revisions of the tenant-wide records that a decision read; null where there was nothing to read. */
export function revisionsOf(
  envelope: EnvelopeFacts,
  current: ControlStateFacts | null,
): RecordRevisions | null {
  if (!current?.revisions) return null;
  const { revisions, actions } = current;
  const revisionAt = (place: number) => actions[place]?.capability_revision ?? null;
  if (!listsActions(envelope)) return { ...revisions, capability: revisionAt(0) };
  const capabilities = envelope.actions.map(
    ({ capability_name }, place) => [capability_name, revisionAt(place)] as const,
  );
  return { ...revisions, capabilities: Object.fromEntries(capabilities) };
}

type Revision = number | null;
type RecordRevisions = Readonly<Record<string, Revision | Readonly<Record<string, Revision>>>>;
