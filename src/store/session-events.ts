import type { SequencePage } from '../app/stored.js';
import type { LoggedEvent } from '../domain/session-event.js';
import type { SessionKey } from '../domain/session-key.js';
import type { SqlTransaction } from './sql.js';

interface LoggedEventRow {
  event_id: string;
  event_type: string;
  content_sha256: string;
  occurred_at: string | null;
  sequence: string;
  lineage_sha256: string;
}

const columns = 'event_id, event_type, content_sha256, occurred_at, sequence, lineage_sha256';

/** Those of the given events that are in the session's log already. Its writers hold the session's head meanwhile. */
export async function findSessionEvents(
  transaction: SqlTransaction,
  session: SessionKey,
  eventIds: readonly string[],
): Promise<LoggedEvent[]> {
  const rows = await transaction.query<LoggedEventRow>({
    name: 'find_session_events',
    text: `
      select ${columns}
      from session_events
      where tenant_id = $1 and session_id = $2 and event_id = any($3)`,
    values: [session.tenant_id, session.session_id, eventIds],
  });
  return rows.map(toLoggedEvent);
}

/** The first events behind a place in the log, in its order. */
export async function readSessionEvents(
  transaction: SqlTransaction,
  session: SessionKey,
  page: SequencePage,
): Promise<LoggedEvent[]> {
  const rows = await transaction.query<LoggedEventRow>({
    name: 'read_session_events_after',
    text: `
      select ${columns}
      from session_events
      where tenant_id = $1 and session_id = $2 and sequence > $3
      order by sequence
      limit $4`,
    values: [session.tenant_id, session.session_id, page.after, page.limit],
  });
  return rows.map(toLoggedEvent);
}

/** Appends events that have their places; the caller holds the session's head. */
export async function insertSessionEvents(
  transaction: SqlTransaction,
  session: SessionKey,
  events: readonly LoggedEvent[],
): Promise<void> {
  await transaction.query({
    name: 'insert_session_events',
    text: `
      insert into session_events (
        tenant_id, session_id, sequence, event_id, event_type, content_sha256, occurred_at, lineage_sha256
      )
      select $1, $2, appended.*
      from unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) as appended`,
    values: [
      session.tenant_id,
      session.session_id,
      events.map(({ sequence }) => sequence),
      events.map(({ event_id }) => event_id),
      events.map(({ event_type }) => event_type),
      events.map(({ content_sha256 }) => content_sha256),
      events.map(({ occurred_at }) => occurred_at ?? null),
      events.map(({ lineage_sha256 }) => lineage_sha256),
    ],
  });
}

function toLoggedEvent({ occurred_at, sequence, ...row }: LoggedEventRow): LoggedEvent {
  return { ...row, sequence: Number(sequence), ...(occurred_at !== null && { occurred_at }) };
}
