import type { SequencePage, TraceCursor, TraceEventFilter, TraceEventPage } from '../app/stored.js';
import type { ChainKey } from '../domain/session-key.js';
import type { TraceEvent } from '../domain/trace-event.js';
import type { SqlTransaction } from './sql.js';

/** Appends an event that has its place in its chain; the caller holds the lock on the chain's head. */
export async function insertTraceEvent(transaction: SqlTransaction, event: TraceEvent): Promise<void> {
  await transaction.query({
    name: 'insert_trace_event',
    text: `
      insert into trace_events (
        event_id, event_type, schema_version, occurred_at, tenant_id, session_id, principal_id, actor, trace_id,
        span_id, envelope_id, decision_id, status, reason, payload, sequence, previous_sha256, event_sha256
      )
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    values: [
      event.event_id,
      event.event_type,
      event.schema_version,
      event.occurred_at,
      event.tenant_id,
      event.session_id,
      event.principal_id,
      event.actor,
      event.trace_id,
      event.span_id,
      event.envelope_id,
      event.decision_id,
      event.status,
      event.reason,
      event.payload,
      event.sequence,
      event.previous_sha256,
      event.event_sha256,
    ],
  });
}

interface TraceEventRow extends Omit<TraceEvent, 'sequence'> {
  sequence: string;
}

interface OrderedTraceEventRow extends TraceEventRow {
  transaction_id: string;
  position: string;
}

const columns = `
  event_id, event_type, schema_version, rfc3339(occurred_at) as occurred_at, tenant_id, session_id, principal_id, actor,
  trace_id, span_id, envelope_id, decision_id, status, reason, payload, sequence, previous_sha256, event_sha256`;

/**
 * Reads events in the order in which their transactions began, and within one in the order of writing.
 *
 * A transaction that is still open may yet commit an event that comes earlier in this order. The reader therefore stops
 * before the oldest open one of those who can write events: an event is returned late rather than skipped.
 */
export async function readTraceEvents(
  transaction: SqlTransaction,
  filter: TraceEventFilter,
  page: { readonly limit: number; readonly after: TraceCursor | null },
): Promise<TraceEventPage> {
  const rows = await transaction.query<OrderedTraceEventRow>({
    name: 'read_trace_events',
    text: `
      select ${columns}, transaction_id::text, position
      from trace_events
      where tenant_id = $1
        and transaction_id < (select trace_horizon())
        and ($2::text is null or session_id = $2)
        and ($3::text is null or envelope_id = $3)
        and ($4::text is null or trace_id = $4)
        and ($5::text is null or event_type = $5)
        and ($6::text is null or reason = $6)
        and ($7::timestamptz is null or occurred_at >= $7)
        and ($8::timestamptz is null or occurred_at < $8)
        and ($9::xid8 is null or (transaction_id, position) > ($9, $10::bigint))
        and ($12::text[] is null or principal_id = any($12))
      order by transaction_id, position
      limit $11`,
    values: [
      filter.tenant_id,
      filter.session_id,
      filter.envelope_id,
      filter.trace_id,
      filter.event_type,
      filter.reason,
      filter.from,
      filter.to,
      page.after?.transactionId,
      page.after?.position,
      page.limit + 1,
      filter.principals,
    ],
  });
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    events: shown.map(({ transaction_id: _, position: __, ...row }) => toTraceEvent(row)),
    next:
      rows.length > page.limit && last
        ? { transactionId: last.transaction_id, position: last.position }
        : null,
  };
}

/**
 * Reads a session's chain in its own order, which is the order in which its changes were committed; null for the chain
 * of what belongs to the tenant alone. Events that share a sequence, which no gate writes, are never parted by a page: the
 * next one would begin behind both, and nobody would see the second.
 */
export async function readChain(
  transaction: SqlTransaction,
  chain: ChainKey,
  page: SequencePage,
): Promise<TraceEvent[]> {
  const rows = await transaction.query<TraceEventRow>({
    name: 'read_chain',
    text: `
      select ${columns}
      from trace_events
      where tenant_id = $1
        and session_id is not distinct from $2
        and sequence > $3
      order by sequence
      fetch first $4 rows with ties`,
    values: [chain.tenant_id, chain.session_id, page.after, page.limit],
  });
  return rows.map(toTraceEvent);
}

function toTraceEvent({ sequence, ...row }: TraceEventRow): TraceEvent {
  return { ...row, sequence: Number(sequence) };
}
