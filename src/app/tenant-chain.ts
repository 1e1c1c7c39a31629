import { uuidv7 } from 'uuidv7';

import {
  chainEvent,
  noSubject,
  type ChainTip,
  type EventSubject,
  type UnchainedEvent,
} from '../domain/trace-event.js';
import type { TraceContent } from '../domain/trace.js';
import type { Transaction } from './store.js';

/** Who and what an event of a tenant is about; what is left out is null. */
export type TenantEventOrigin = Pick<UnchainedEvent, 'tenant_id' | 'actor' | 'occurred_at'> &
  Partial<EventSubject>;

/** Appends an event that belongs to no session to its tenant's own chain; the caller holds the lock on its head. */
export function appendToTenant(
  transaction: Transaction,
  tip: ChainTip,
  origin: TenantEventOrigin,
  content: TraceContent,
): Promise<void>[] {
  const event = chainEvent(
    { session_id: null, ...noSubject, ...origin, ...content, event_id: uuidv7() },
    tip,
  );
  const { sequence, event_sha256: sha256 } = event;
  return [transaction.insertTraceEvent(event), transaction.saveTenantHead(origin, { sequence, sha256 })];
}
