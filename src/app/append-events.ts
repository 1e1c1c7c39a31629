import { placeEvents } from '../domain/place-events.js';
import type { LoggedEvent, SessionEvent } from '../domain/session-event.js';
import type { SessionKey } from '../domain/session-key.js';
import { recordContent } from '../domain/trace.js';
import { authorOf, type Caller } from './caller.js';
import { mayWriteToSession } from './session-access.js';
import { appendEvent, linkEvent } from './session-chain.js';
import type { Store } from './store.js';

export type AppendResult =
  /** Every event of the batch with its place, those that were there before with the one that they had. */
  | { readonly kind: 'appended'; readonly events: readonly LoggedEvent[]; readonly added: number }
  /** The session is not the caller's. */
  | { readonly kind: 'forbidden' }
  /** An id of the batch stands for another event. */
  | { readonly kind: 'conflict'; readonly event_id: string };

/**
 * Appends a batch to a session's event log, all or nothing. An event that is in the log already keeps its place; a batch
 * of nothing else leaves no trace event.
 */
export async function appendEvents(
  store: Store,
  session: SessionKey,
  events: readonly SessionEvent[],
  caller: Caller,
): Promise<AppendResult> {
  return store.transactInTurn<AppendResult>(session, async (transaction) => {
    const eventIds = events.map(({ event_id }) => event_id);
    const { head, found } = await transaction.lockSession(session, async () => {
      const [allowed, now, logged] = await Promise.all([
        mayWriteToSession(transaction, caller, session),
        transaction.readClock(),
        transaction.findSessionEvents(session, eventIds),
      ]);
      return { allowed, now, logged };
    });
    if (!found.allowed) return { result: { kind: 'forbidden' } };
    const placed = placeEvents(events, { logged: found.logged, end: head.events });
    if ('conflict' in placed) return { result: { kind: 'conflict', event_id: placed.conflict } };
    const { added, end } = placed;
    const result = { kind: 'appended' as const, events: placed.events, added: added.length };
    if (added.length === 0) return { result };

    const content = recordContent({ kind: 'session_events', id: session.session_id, revision: end.sequence });
    const event = linkEvent(head, { ...session, ...authorOf(caller), occurred_at: found.now }, content);
    return {
      result,
      writes: [
        transaction.insertSessionEvents(session, added),
        ...appendEvent(transaction, session, { ...head, has_records: true, events: end }, event),
      ],
    };
  });
}
