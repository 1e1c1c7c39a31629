import { uuidv7 } from 'uuidv7';

import type { SessionKey } from '../domain/session-key.js';
import {
  chainEvent,
  noSubject,
  type EventSubject,
  type TraceEvent,
  type UnchainedEvent,
} from '../domain/trace-event.js';
import type { TraceContent } from '../domain/trace.js';
import type { Transaction } from './store.js';
import type { SessionHead } from './stored.js';

/** Who and what an event of a session is about; what is left out is null. Its type and payload are its content. */
export type EventOrigin = SessionKey & Pick<UnchainedEvent, 'actor' | 'occurred_at'> & Partial<EventSubject>;

/** Links an event to the end of its session's chain. Nothing is written yet. */
export function linkEvent(head: SessionHead, origin: EventOrigin, content: TraceContent): TraceEvent {
  return chainEvent({ ...noSubject, ...origin, ...content, event_id: uuidv7() }, head.trace);
}

/** Appends a linked event and writes the session's head back with its new chain tip; the caller holds the lock. */
export function appendEvent(
  transaction: Transaction,
  session: SessionKey,
  head: SessionHead,
  event: TraceEvent,
): Promise<void>[] {
  const advanced = { ...head, trace: { sequence: event.sequence, sha256: event.event_sha256 } };
  return [transaction.insertTraceEvent(event), transaction.saveSessionHead(session, advanced)];
}
