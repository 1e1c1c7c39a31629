import type { SessionEpoch, SessionHead } from '../app/stored.js';
import type { SessionKey } from '../domain/session-key.js';
import type { HeadStatements } from './lock-and-read.js';
import type { SqlTransaction } from './sql.js';

export interface SessionHeadRow {
  session_epoch: string;
  held_by: string | null;
  held_since: string | null;
  newest_envelope_id: string | null;
  has_records: boolean;
  event_sequence: string;
  lineage_sha256: string;
  trace_sequence: string;
  trace_sha256: string;
}

/** The head of a session, to be locked. */
export function sessionHead({
  tenant_id,
  session_id,
}: SessionKey): HeadStatements<SessionHeadRow, SessionHead> {
  const values = [tenant_id, session_id];
  return {
    lock: {
      name: 'lock_session_head',
      text: `
        select
          session_epoch,
          held_by,
          rfc3339(held_since) as held_since,
          newest_envelope_id,
          has_records,
          event_sequence,
          lineage_sha256,
          trace_sequence,
          trace_sha256
        from session_heads
        where tenant_id = $1 and session_id = $2
        for update`,
      values,
    },
    create: {
      name: 'create_session_head',
      text: `
        insert into session_heads (tenant_id, session_id)
        values ($1, $2)
        on conflict (tenant_id, session_id) do nothing`,
      values,
    },
    toHead: toSessionHead,
  };
}

/** The session's epoch without a lock; undefined if the gate has never heard of the session. */
export async function readSessionEpoch(
  transaction: SqlTransaction,
  { tenant_id, session_id }: SessionKey,
): Promise<SessionEpoch | undefined> {
  const [row] = await transaction.query<Pick<SessionHeadRow, keyof SessionEpoch>>({
    name: 'read_session_epoch',
    text: `
      select session_epoch, held_by, rfc3339(held_since) as held_since
      from session_heads
      where tenant_id = $1 and session_id = $2`,
    values: [tenant_id, session_id],
  });
  return row && { ...row, session_epoch: Number(row.session_epoch) };
}

/** Writes the head back. Only its lock's holder may. */
export async function saveSessionHead(
  transaction: SqlTransaction,
  { tenant_id, session_id }: SessionKey,
  head: SessionHead,
): Promise<void> {
  await transaction.query({
    name: 'save_session_head',
    text: `
      update session_heads
      set
        session_epoch = $3,
        held_by = $4,
        held_since = $5,
        newest_envelope_id = $6,
        has_records = $7,
        event_sequence = $8,
        lineage_sha256 = $9,
        trace_sequence = $10,
        trace_sha256 = $11
      where tenant_id = $1 and session_id = $2`,
    values: [
      tenant_id,
      session_id,
      head.session_epoch,
      head.held_by,
      head.held_since,
      head.newest_envelope_id,
      head.has_records,
      head.events.sequence,
      head.events.sha256,
      head.trace.sequence,
      head.trace.sha256,
    ],
  });
}

export function toSessionHead(row: SessionHeadRow): SessionHead {
  return {
    session_epoch: Number(row.session_epoch),
    held_by: row.held_by,
    held_since: row.held_since,
    newest_envelope_id: row.newest_envelope_id,
    has_records: row.has_records,
    events: { sequence: Number(row.event_sequence), sha256: row.lineage_sha256 },
    trace: { sequence: Number(row.trace_sequence), sha256: row.trace_sha256 },
  };
}
