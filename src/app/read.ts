import { envelopeFacts } from '../domain/envelope/versions.js';
import type { DecisionFacts } from '../domain/facts.js';
import type { RecordKindName } from '../domain/record-kinds.js';
import type { RecordKeys } from '../domain/records/record-kind.js';
import { replay, type Replay } from '../domain/replay.js';
import type { SessionKey } from '../domain/session-key.js';
import type { TraceEvent } from '../domain/trace-event.js';
import type { LoggedEvent } from '../domain/session-event.js';
import { readAssembledState, type AssembledState } from '../store/assembled-state.js';
import { findRecord, type StoredRecord } from '../store/control-records.js';
import type { Database } from '../store/database.js';
import { findDecision, type StoredDecision } from '../store/decisions.js';
import { findEnvelope, type FoundEnvelope } from '../store/envelopes.js';
import { readUnknownEffects, type UnknownEffect } from '../store/reconciliations.js';
import { readSessionEventsAfter } from '../store/session-events.js';
import { readSessionEpoch, type SessionEpoch } from '../store/session-heads.js';
import {
  readChain,
  readTraceEvents,
  type TraceCursor,
  type TraceEventFilter,
  type TraceEventPage,
} from '../store/trace-events.js';
import { maySpeakFor, type Caller } from './caller.js';

/** Where to look; undefined: in a tenant that the caller may not touch, where there is nothing for it to find. */
interface Place {
  readonly tenant_id: string | undefined;
}

/** An envelope of the tenant; undefined if it has none of that id, or none that the caller may see. */
export async function readEnvelope(
  database: Database,
  caller: Caller,
  { tenant_id, envelope_id }: Place & { readonly envelope_id: string },
): Promise<FoundEnvelope | undefined> {
  if (tenant_id === undefined) return undefined;
  const stored = await database.transact(tenant_id, async (transaction) => ({
    result: await findEnvelope(transaction, tenant_id, envelope_id),
  }));
  return stored && maySpeakFor(caller, envelopeFacts(stored).principal_id) ? stored : undefined;
}

/** A past decision, and the same facts decided by today's rules. */
export interface ReplayedDecision {
  readonly stored: StoredDecision;
  readonly replayed: Replay;
}

/** A past decision of the tenant with its replay; undefined if there is none of that id that the caller may see. */
export async function readDecision(
  database: Database,
  caller: Caller,
  { tenant_id, decision_id }: Place & { readonly decision_id: string },
): Promise<ReplayedDecision | undefined> {
  if (tenant_id === undefined) return undefined;
  const stored = await database.transact(tenant_id, async (transaction) => ({
    result: await findDecision(transaction, tenant_id, decision_id),
  }));
  if (!stored || !principalsIn(stored.facts).every((principal) => maySpeakFor(caller, principal)))
    return undefined;
  return { stored, replayed: replay(stored) };
}

/** A record of the tenant; undefined if there is none. */
export function readRecord(
  database: Database,
  { name, tenant_id, keys }: { name: RecordKindName; tenant_id: string; keys: RecordKeys },
): Promise<StoredRecord | undefined> {
  return database.transact(tenant_id, async (transaction) => ({
    result: await findRecord(transaction, name, tenant_id, keys),
  }));
}

/** The control state of a session as its records have it; undefined if there is no record of it. */
export function readControlState(
  database: Database,
  session: SessionKey,
): Promise<AssembledState | undefined> {
  return database.transact(session.tenant_id, async (transaction) => ({
    result: await readAssembledState(transaction, session),
  }));
}

/** Who holds a session; undefined if the gate has never heard of it. */
export function readEpoch(
  database: Database,
  { tenant_id, session_id }: SessionKey,
): Promise<SessionEpoch | undefined> {
  return database.transact(tenant_id, async (transaction) => ({
    result: await readSessionEpoch(transaction, tenant_id, session_id),
  }));
}

/** The tenant's unknown effects, oldest first. */
export function readReconciliations(
  database: Database,
  tenantId: string,
  limit: number,
): Promise<UnknownEffect[]> {
  return database.transact(tenantId, async (transaction) => ({
    result: await readUnknownEffects(transaction, tenantId, limit),
  }));
}

/** A stretch of a session's event log; empty if there is nothing there. */
export function readSessionEvents(
  database: Database,
  session: SessionKey,
  page: { readonly after: number; readonly limit: number },
): Promise<LoggedEvent[]> {
  return database.transact(session.tenant_id, async (transaction) => ({
    result: await readSessionEventsAfter(transaction, session, page),
  }));
}

/** A session's chain of events in its own order, and who holds the session; undefined if the gate never heard of it. */
export async function readTimeline(
  database: Database,
  session: SessionKey,
  page: { readonly after: number; readonly limit: number },
): Promise<{ readonly epoch: SessionEpoch; readonly events: TraceEvent[] } | undefined> {
  return database.transact(session.tenant_id, async (transaction) => {
    const [epoch, events] = await Promise.all([
      readSessionEpoch(transaction, session.tenant_id, session.session_id),
      readChain(transaction, session, page),
    ]);
    return { result: epoch && { epoch, events } };
  });
}

/** One page of the tenant's trace events, of those principals that the caller may speak for. */
export async function readTrace(
  database: Database,
  { principals }: Caller,
  { tenant_id, ...filter }: Place & Omit<TraceEventFilter, 'tenant_id' | 'principals'>,
  page: { readonly limit: number; readonly after: TraceCursor | null },
): Promise<TraceEventPage> {
  if (tenant_id === undefined) return { events: [], next: null };
  return database.transact(tenant_id, async (transaction) => ({
    result: await readTraceEvents(transaction, { ...filter, tenant_id, principals }, page),
  }));
}

/** Every principal that a decision is about: the one that asked, and the one that was sealed. */
function principalsIn(facts: DecisionFacts): string[] {
  return [
    ...('presented' in facts ? [facts.presented.principal_id] : []),
    ...('envelope' in facts ? [facts.envelope.principal_id] : []),
  ];
}
