import { chainSessionEvent, type LoggedEvent, type SessionEvent } from '../domain/session-event.js';
import type { SessionKey } from '../domain/session-key.js';
import { recordContent } from '../domain/trace.js';
import type { ChainTip } from '../domain/trace-event.js';
import { readClock } from '../store/clock.js';
import type { Database } from '../store/database.js';
import { findSessionEvents, insertSessionEvents } from '../store/session-events.js';
import { authorOf, type Caller } from './caller.js';
import { lockAndRead } from './lock-and-read.js';
import { appendEvent, linkEvent } from './session-chain.js';

export type AppendResult =
  /** Every event of the batch with its place, those that were there before with the one that they had. */
  | { readonly kind: 'appended'; readonly events: readonly LoggedEvent[]; readonly added: number }
  /** An id of the batch stands for another event. */
  | { readonly kind: 'conflict'; readonly event_id: string };

/**
 * Appends a batch to a session's event log, all or nothing. An event that is in the log already keeps its place; a batch
 * of nothing else leaves no trace event.
 */
export async function appendEvents(
  database: Database,
  session: SessionKey,
  events: readonly SessionEvent[],
  caller: Caller,
): Promise<AppendResult> {
  return database.transactInTurn<AppendResult>(session, async (transaction) => {
    const eventIds = events.map(({ event_id }) => event_id);
    const { head, found } = await lockAndRead(transaction, session, async () => {
      const [now, logged] = await Promise.all([
        readClock(transaction),
        findSessionEvents(transaction, session, eventIds),
      ]);
      return { now, logged };
    });
    const placed = placeEvents(events, found.logged, head.events);
    if (placed.conflict !== undefined) return { result: { kind: 'conflict', event_id: placed.conflict } };
    const { added, end } = placed;
    const result = { kind: 'appended' as const, events: placed.events, added: added.length };
    if (added.length === 0) return { result };

    const content = recordContent({ kind: 'session_events', id: session.session_id, revision: end.sequence });
    const event = linkEvent(head, { ...session, ...authorOf(caller), occurred_at: found.now }, content);
    return {
      result,
      writes: [
        insertSessionEvents(transaction, session, added),
        ...appendEvent(transaction, session, { ...head, has_records: true, events: end }, event),
      ],
    };
  });
}

interface PlacedEvents {
  readonly events: readonly LoggedEvent[];
  readonly added: readonly LoggedEvent[];
  readonly end: ChainTip;
  readonly conflict: string | undefined;
}

function placeEvents(
  batch: readonly SessionEvent[],
  logged: readonly LoggedEvent[],
  start: ChainTip,
): PlacedEvents {
  const known = new Map(logged.map((event) => [event.event_id, event]));
  const events: LoggedEvent[] = [];
  const added: LoggedEvent[] = [];
  let end = start;
  for (const event of batch) {
    const before = known.get(event.event_id);
    if (before && !isSameEvent(before, event)) return { events, added, end, conflict: event.event_id };
    const placed = before ?? chainSessionEvent(event, end);
    if (!before) {
      known.set(event.event_id, placed);
      added.push(placed);
      end = { sequence: placed.sequence, sha256: placed.lineage_sha256 };
    }
    events.push(placed);
  }
  return { events, added, end, conflict: undefined };
}

function isSameEvent(one: SessionEvent, other: SessionEvent): boolean {
  return (
    one.event_type === other.event_type &&
    one.content_sha256 === other.content_sha256 &&
    one.occurred_at === other.occurred_at
  );
}
