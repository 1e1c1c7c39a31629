import { decide, type Decision } from '../domain/decide.js';
import type { Database } from '../store/database.js';
import { findDecision, type StoredDecision } from '../store/decisions.js';
import { findEnvelope, type FoundEnvelope } from '../store/envelopes.js';
import {
  readTraceEvents,
  type TraceCursor,
  type TraceEventFilter,
  type TraceEventPage,
} from '../store/trace-events.js';

/** An envelope of the tenant; undefined if it has none of that id. */
export function readEnvelope(
  database: Database,
  tenantId: string,
  envelopeId: string,
): Promise<FoundEnvelope | undefined> {
  return database.transact(tenantId, async (transaction) => ({
    result: await findEnvelope(transaction, tenantId, envelopeId),
  }));
}

/** A past decision, and the same facts decided by today's rules. */
export interface ReplayedDecision {
  readonly stored: StoredDecision;
  readonly replayed: Decision;
}

/** A past decision of the tenant with its replay; undefined if there is none of that id. */
export function readDecision(
  database: Database,
  tenantId: string,
  decisionId: string,
): Promise<ReplayedDecision | undefined> {
  return database.transact(tenantId, async (transaction) => {
    const stored = await findDecision(transaction, tenantId, decisionId);
    return { result: stored && { stored, replayed: decide(stored.facts) } };
  });
}

/** One page of the tenant's trace events. */
export function readTrace(
  database: Database,
  filter: TraceEventFilter,
  page: { readonly limit: number; readonly after: TraceCursor | null },
): Promise<TraceEventPage> {
  return database.transact(filter.tenant_id, async (transaction) => ({
    result: await readTraceEvents(transaction, filter, page),
  }));
}
