import type { Decision } from '../domain/decide.js';
import type { SealedEnvelope } from '../domain/envelope/sealed.js';
import type { ControlStateFacts, DecisionFacts } from '../domain/facts.js';
import type { RecordKindName } from '../domain/record-kinds.js';
import type { RecordFields, RecordKeys } from '../domain/records/record-kind.js';
import type { TenantKey } from '../domain/session-key.js';
import type { TenantRecords } from '../domain/to-facts.js';
import type { ChainTip, TraceEvent } from '../domain/trace-event.js';
import type { SideEffectStatus, TraceEventType } from '../domain/vocabulary.js';

/**
 * What passes between the use cases and the store. Times are RFC 3339 in UTC with six fraction digits, by the store's
 * clock.
 */

/** The row that orders everything that happens to a session. */
export interface SessionHead {
  /** How many times the session has been rehydrated. */
  readonly session_epoch: number;
  /** Who rehydrated it last, and when; null while nobody has. */
  readonly held_by: string | null;
  readonly held_since: string | null;
  readonly newest_envelope_id: string | null;
  /** Whether the gate holds any record of the session: from then on records alone decide. */
  readonly has_records: boolean;
  /** The end of the session's event log, with the running digest. */
  readonly events: ChainTip;
  /** The end of the session's chain of trace events. */
  readonly trace: ChainTip;
}

/** The go that opened a session's epoch, and the subject of the token that it was given to. */
export interface OpeningGo {
  readonly decision_id: string;
  readonly subject: string;
}

/** Who holds a session: what a tool gateway asks before it acts on a receipt. */
export type SessionEpoch = Pick<SessionHead, 'session_epoch' | 'held_by' | 'held_since'>;
export type Holder = Omit<SessionEpoch, 'session_epoch'>;

/** What names an envelope: ids of envelopes are unique within their tenant. */
export type EnvelopeKey = Pick<SealedEnvelope, 'tenant_id' | 'envelope_id'>;

/** An accepted envelope and what was frozen with it. Immutable. */
export interface StoredEnvelope extends SealedEnvelope {
  /** Sequence of the range's last event in the session's log; null where there was no log. */
  readonly last_sequence: number | null;
  /** The session's epoch when it was sealed. */
  readonly session_epoch: number;
  readonly created_at: string;
  readonly trace_event: { readonly event_id: string; readonly event_type: TraceEventType };
}

/** A stored envelope as it is found. */
export interface FoundEnvelope extends StoredEnvelope {
  /** Its session's newest envelope: itself, unless another was sealed since. */
  readonly newest_envelope_id: string;
}

/** What names a decision; its id is a UUID. */
export type DecisionKey = Pick<StoredDecision, 'tenant_id' | 'decision_id'>;

/** An answer of the gate with everything that it was made from. Immutable. */
export interface StoredDecision {
  readonly decision_id: string;
  readonly tenant_id: string;
  readonly session_id: string;
  readonly envelope_id: string;
  readonly trace_id: string;
  readonly decision: Decision;
  readonly facts: DecisionFacts;
  /** The version of the rules that it was made by; null where an earlier release recorded none. */
  readonly rules_version: string | null;
  /** The epoch that a go opened, and who holds it; null after a stop. */
  readonly granted: { readonly session_epoch: number; readonly held_by: string } | null;
  readonly trace_event: { readonly event_id: string; readonly event_type: TraceEventType };
}

/** What stands under an `Idempotency-Key`. */
export interface KeptAnswer {
  readonly request_sha256: string;
  readonly decision_id: string;
}

/** An `Idempotency-Key` with the request that claims it and the decision that the claim would keep. */
export interface KeyClaim extends KeptAnswer {
  readonly tenant_id: string;
  readonly idempotency_key: string;
}

/** What names a record: its kind, its tenant and the ids of its kind. */
export interface RecordKey {
  readonly name: RecordKindName;
  readonly tenant_id: string;
  readonly keys: RecordKeys;
}

/** A record with what it is to say. */
export interface RecordToWrite extends RecordKey {
  readonly fields: RecordFields;
}

/** A record as it is stored. */
export interface StoredRecord {
  readonly fields: RecordFields;
  readonly revision: number;
  readonly updated_at: string;
}

/** What the gate's own records say of everything that an envelope names, at one moment. */
export interface RecordedState {
  /** Whether the gate holds a record of the session, or of an approval or a side effect that the envelope names. */
  readonly holdsRecords: boolean;
  /** The state as facts. */
  readonly facts: ControlStateFacts;
  /** What is common to the tenant's sessions; null where there is no record. */
  readonly tenant: TenantRecords;
}

/** The fourteen fields of a session's current control state, from the records; null where there is no record. */
export interface AssembledState {
  readonly tenant_id: string;
  readonly principal_id: string | null;
  readonly authorization_mode: string | null;
  readonly delegated_principal_id: string | null;
  readonly delegated_scope: string | null;
  readonly policy_version: string | null;
  readonly capability_name: string | null;
  readonly capability_version: string | null;
  readonly approval_id: string | null;
  readonly action_digest: string | null;
  readonly approval_status: string | null;
  readonly idempotency_key: string | null;
  readonly side_effect_status: string | null;
  readonly checkpoint_ref: string | null;
}

/** What names a side effect. */
export interface EffectKey {
  readonly tenant_id: string;
  readonly idempotency_key: string;
}

/** How an unknown effect was settled. */
export interface Reconciliation {
  readonly outcome: Exclude<SideEffectStatus, 'side_effect_unknown'>;
  readonly evidence_refs: readonly string[];
  readonly reconciled_by: string;
}

/** A settlement as it is put on record. */
export interface RecordedReconciliation extends Reconciliation {
  /** The revision of the effect that it makes. */
  readonly revision: number;
  readonly reconciled_at: string;
}

/** An effect whose outcome nobody knows. */
export interface UnknownEffect {
  readonly idempotency_key: string;
  readonly session_id: string;
  readonly capability_name: string;
  readonly approval_id: string;
  /** Since when it is unknown. */
  readonly updated_at: string;
  /** For how many seconds it has been. */
  readonly age_seconds: number;
}

/** Which unknown effects are asked for; no principals: those of all sessions. */
export interface UnknownEffectFilter extends TenantKey {
  readonly principals: readonly string[] | null;
}

/** What says whose a session is. */
export interface SessionOwner {
  /** The principal in the session's record; null without one. */
  readonly recorded: string | null;
  /** The principal in its newest envelope; null if nothing was sealed. */
  readonly sealed: string | null;
  /** Whether the gate holds any record of the session. */
  readonly has_records: boolean;
}

/** A stretch of a log that is numbered without gaps. */
export interface SequencePage {
  /** The sequence behind which it begins. */
  readonly after: number;
  readonly limit: number;
}

/** Which trace events to read; every filter that is given must hold. `from` is included, `to` is not. */
export interface TraceEventFilter {
  readonly tenant_id: string;
  /** Only events of these principals; null: of any. */
  readonly principals: readonly string[] | null;
  readonly session_id?: string | undefined;
  readonly envelope_id?: string | undefined;
  readonly trace_id?: string | undefined;
  readonly event_type?: TraceEventType | undefined;
  readonly reason?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Where a reader stands in the order of the trace. */
export interface TraceCursor {
  readonly transactionId: string;
  readonly position: string;
}

export interface TraceEventPage {
  readonly events: TraceEvent[];
  /** Where to go on; null when this page reached the end. */
  readonly next: TraceCursor | null;
}
