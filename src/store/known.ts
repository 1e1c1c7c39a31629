import type { Known, Question, UncoveredEvent } from '../app/store.js';
import type { EnvelopeKey, FoundEnvelope, OpeningGo } from '../app/stored.js';
import { frozenActionsOf } from '../domain/envelope/versions.js';
import type { ApprovalBinding } from '../domain/facts.js';
import type { PreviousEnvelope } from '../domain/previous-envelope.js';
import type { TraceEventType } from '../domain/vocabulary.js';
import { toNumber, toRecordedState, type RecordedStateRow } from './recorded-state.js';
import { readKnownText } from './read-known.js';
import { toStoredDecision, type StoredDecisionRow } from './decisions.js';
import { toSessionHead, type SessionHeadRow } from './session-heads.js';
import type { Statement } from './sql.js';

/** Locks the sessions in their order, and tells which of them it holds. */
export function lockSessions(questions: readonly Question[], mayWait: boolean): Statement {
  return {
    name: 'lock_sessions',
    text: 'select lock_sessions($1, $2, $3, $4, $5, $6) as locked',
    values: [
      mayWait,
      questions.map(({ session }) => session.tenant_id),
      questions.map(({ session }) => session.session_id),
      questions.map(({ claim }) => claim?.idempotency_key ?? null),
      questions.map(({ claim }) => claim?.request_sha256 ?? null),
      questions.map(({ claim }) => claim?.decision_id ?? null),
    ],
  };
}

/** Reads what is known of each, and the place of each. Sent behind the locks. */
export function readKnown(questions: readonly Question[]): Statement {
  return {
    name: 'read_known',
    text: readKnownText,
    values: [
      questions.map(({ session }) => session.tenant_id),
      questions.map(({ session }) => session.session_id),
      questions.map(({ envelope_id }) => envelope_id),
      questions.map(({ given }) => (given ? JSON.stringify(given) : null)),
      questions.map(({ claim }) => claim?.idempotency_key ?? null),
      questions.map(({ claim }) => claim?.decision_id ?? null),
    ],
  };
}

export interface KnownRow extends SessionHeadRow, RecordedStateRow {
  /** Of the question, counted from one. */
  place: number;
  now: string;
  kept_request_sha256: string | null;
  kept_decision_id: string | null;
  kept_decision: StoredDecisionRow | null;
  envelope: unknown;
  envelope_sha256: string | null;
  envelope_lineage_sha256: string | null;
  envelope_last_sequence: string | null;
  constraint_digests: Record<string, string>;
  envelope_session_epoch: string;
  created_at: string;
  trace_event_id: string;
  trace_event_type: TraceEventType;
  newest_of_envelope: string;
  opened_by_decision: string | null;
  opened_for: string | null;
  previous: Omit<PreviousEnvelope, 'tenant_id'> | null;
  first_bindings: Record<string, ApprovalBinding> | null;
  uncovered_events: UncoveredEvent[] | null;
}

export function toKnown({ session, envelope_id, given }: Question, row: KnownRow): Known {
  const { tenant_id } = session;
  const envelope = toFoundEnvelope(row, { tenant_id, envelope_id });
  const actions = given ? frozenActionsOf(given) : envelope && frozenActionsOf(envelope.envelope);
  return {
    now: row.now,
    head: toSessionHead(row),
    opened_by: toOpeningGo(row),
    kept: toKept(row),
    envelope,
    recorded: actions && toRecordedState(tenant_id, actions, row),
    previous: row.previous && { tenant_id, ...row.previous },
    firstBindings: new Map(Object.entries(row.first_bindings ?? {})),
    constraints: (row.constraint_records ?? []).flatMap(({ ref, text, forbids_capability }) =>
      text === null ? [] : [{ ref, text, forbids_capability }],
    ),
    uncovered_events: row.uncovered_events ?? [],
  };
}

function toKept({ kept_request_sha256, kept_decision_id, kept_decision }: KnownRow): Known['kept'] {
  if (kept_request_sha256 === null || kept_decision_id === null) return undefined;
  return {
    request_sha256: kept_request_sha256,
    decision_id: kept_decision_id,
    decision: kept_decision ? toStoredDecision(kept_decision) : undefined,
  };
}

/** Its digest is what every stored envelope has: the envelope itself may be any JSON, `null` included. */
function toFoundEnvelope(row: KnownRow, keys: EnvelopeKey): FoundEnvelope | undefined {
  if (row.envelope_sha256 === null) return undefined;
  return {
    ...keys,
    envelope: row.envelope,
    envelope_sha256: row.envelope_sha256,
    lineage_sha256: row.envelope_lineage_sha256,
    constraint_digests: row.constraint_digests,
    last_sequence: toNumber(row.envelope_last_sequence),
    session_epoch: Number(row.envelope_session_epoch),
    created_at: row.created_at,
    trace_event: { event_id: row.trace_event_id, event_type: row.trace_event_type },
    newest_envelope_id: row.newest_of_envelope,
  };
}

function toOpeningGo({ opened_by_decision, opened_for }: KnownRow): OpeningGo | null {
  if (opened_by_decision === null || opened_for === null) return null;
  return { decision_id: opened_by_decision, subject: opened_for };
}
