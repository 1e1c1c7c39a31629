import type { ContinuityEnvelope } from '../domain/envelope.js';
import type { FrozenAtSealing } from '../domain/to-facts.js';
import type { TraceEventType } from '../domain/vocabulary.js';
import type { Transaction } from './database.js';

/** An accepted envelope and what was frozen with it. Immutable. */
export interface StoredEnvelope extends FrozenAtSealing {
  readonly envelope: ContinuityEnvelope;
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

interface FoundEnvelopeRow {
  envelope: ContinuityEnvelope;
  envelope_sha256: string;
  lineage_sha256: string | null;
  last_sequence: string | null;
  constraint_digests: Record<string, string>;
  session_epoch: string;
  created_at: string;
  trace_event_id: string;
  trace_event_type: TraceEventType;
  newest_envelope_id: string;
}

/** Looks an envelope up under its tenant; undefined if there is none. */
export async function findEnvelope(
  transaction: Transaction,
  tenantId: string,
  envelopeId: string,
): Promise<FoundEnvelope | undefined> {
  const [row] = await transaction.query<FoundEnvelopeRow>({
    name: 'find_envelope',
    text: `
      select ${columns}, head.newest_envelope_id
      from envelopes
      join session_heads as head using (tenant_id, session_id)
      where tenant_id = $1 and envelope_id = $2`,
    values: [tenantId, envelopeId],
  });
  return row && toFoundEnvelope(row);
}

/** The session's newest envelope; undefined if it has none. */
export async function findNewestEnvelope(
  transaction: Transaction,
  tenantId: string,
  sessionId: string,
): Promise<FoundEnvelope | undefined> {
  const [row] = await transaction.query<FoundEnvelopeRow>({
    name: 'find_newest_envelope',
    text: `
      select ${columns}, head.newest_envelope_id
      from session_heads as head
      join envelopes on envelopes.tenant_id = head.tenant_id and envelopes.envelope_id = head.newest_envelope_id
      where head.tenant_id = $1 and head.session_id = $2`,
    values: [tenantId, sessionId],
  });
  return row && toFoundEnvelope(row);
}

/** Stores an envelope; its id must be free. */
export async function insertEnvelope(transaction: Transaction, stored: StoredEnvelope): Promise<void> {
  const { envelope } = stored;
  await transaction.query({
    name: 'insert_envelope',
    text: `
      insert into envelopes (
        tenant_id, envelope_id, session_id, envelope, envelope_sha256, lineage_sha256, last_sequence,
        constraint_digests, session_epoch, created_at, trace_event_id, trace_event_type
      )
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    values: [
      envelope.tenant_id,
      envelope.envelope_id,
      envelope.session_id,
      envelope,
      stored.envelope_sha256,
      stored.lineage_sha256,
      stored.last_sequence,
      stored.constraint_digests,
      stored.session_epoch,
      stored.created_at,
      stored.trace_event.event_id,
      stored.trace_event.event_type,
    ],
  });
}

const columns = `
  envelope,
  envelope_sha256,
  envelopes.lineage_sha256,
  last_sequence,
  constraint_digests,
  envelopes.session_epoch,
  rfc3339(created_at) as created_at,
  trace_event_id,
  trace_event_type`;

function toFoundEnvelope(row: FoundEnvelopeRow): FoundEnvelope {
  return {
    envelope: row.envelope,
    envelope_sha256: row.envelope_sha256,
    lineage_sha256: row.lineage_sha256,
    constraint_digests: row.constraint_digests,
    last_sequence: row.last_sequence === null ? null : Number(row.last_sequence),
    session_epoch: Number(row.session_epoch),
    created_at: row.created_at,
    trace_event: { event_id: row.trace_event_id, event_type: row.trace_event_type },
    newest_envelope_id: row.newest_envelope_id,
  };
}
