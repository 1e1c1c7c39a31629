import { envelopeFacts } from '../domain/envelope/versions.js';
import type { DecisionFacts } from '../domain/facts.js';
import { replay, type Replay } from '../domain/replay.js';
import type { SessionKey, TenantKey } from '../domain/session-key.js';
import type { TraceEvent } from '../domain/trace-event.js';
import type { LoggedEvent } from '../domain/session-event.js';
import { maySpeakFor, type Caller } from './caller.js';
import type { Store } from './store.js';
import type {
  AssembledState,
  FoundEnvelope,
  RecordKey,
  SequencePage,
  SessionEpoch,
  StoredDecision,
  StoredRecord,
  TraceCursor,
  TraceEventFilter,
  TraceEventPage,
  UnknownEffect,
} from './stored.js';

/** Where to look; undefined: in a tenant that the caller may not touch, where there is nothing for it to find. */
interface Place {
  readonly tenant_id: string | undefined;
}

/** An envelope of the tenant; undefined if it has none of that id, or none that the caller may see. */
export async function readEnvelope(
  store: Store,
  caller: Caller,
  { tenant_id, envelope_id }: Place & { readonly envelope_id: string },
): Promise<FoundEnvelope | undefined> {
  if (tenant_id === undefined) return undefined;
  const stored = await store.transact({ tenant_id }, async (transaction) => ({
    result: await transaction.findEnvelope({ tenant_id, envelope_id }),
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
  store: Store,
  caller: Caller,
  { tenant_id, decision_id }: Place & { readonly decision_id: string },
): Promise<ReplayedDecision | undefined> {
  if (tenant_id === undefined) return undefined;
  const stored = await store.transact({ tenant_id }, async (transaction) => ({
    result: await transaction.findDecision({ tenant_id, decision_id }),
  }));
  if (!stored || !principalsIn(stored.facts).every((principal) => maySpeakFor(caller, principal)))
    return undefined;
  return { stored, replayed: replay(stored) };
}

/** A record of the tenant; undefined if there is none. */
export function readRecord(store: Store, key: RecordKey): Promise<StoredRecord | undefined> {
  return store.transact(key, async (transaction) => ({
    result: await transaction.findRecord(key),
  }));
}

/** The control state of a session as its records have it; undefined if there is no record of it. */
export function readControlState(store: Store, session: SessionKey): Promise<AssembledState | undefined> {
  return store.transact(session, async (transaction) => ({
    result: await transaction.readAssembledState(session),
  }));
}

/** Who holds a session; undefined if the gate has never heard of it. */
export function readEpoch(store: Store, session: SessionKey): Promise<SessionEpoch | undefined> {
  return store.transact(session, async (transaction) => ({
    result: await transaction.readSessionEpoch(session),
  }));
}

/** The tenant's unknown effects, oldest first. */
export function readReconciliations(
  store: Store,
  tenant: TenantKey,
  page: { readonly limit: number },
): Promise<UnknownEffect[]> {
  return store.transact(tenant, async (transaction) => ({
    result: await transaction.readUnknownEffects(tenant, page),
  }));
}

/** A stretch of a session's event log; empty if there is nothing there. */
export function readSessionEvents(
  store: Store,
  session: SessionKey,
  page: SequencePage,
): Promise<LoggedEvent[]> {
  return store.transact(session, async (transaction) => ({
    result: await transaction.readSessionEvents(session, page),
  }));
}

/** A session's chain of events in its own order, and who holds the session; undefined if the gate never heard of it. */
export async function readTimeline(
  store: Store,
  session: SessionKey,
  page: SequencePage,
): Promise<{ readonly epoch: SessionEpoch; readonly events: TraceEvent[] } | undefined> {
  return store.transact(session, async (transaction) => {
    const [epoch, events] = await Promise.all([
      transaction.readSessionEpoch(session),
      transaction.readChain(session, page),
    ]);
    return { result: epoch && { epoch, events } };
  });
}

/** One page of the tenant's trace events, of those principals that the caller may speak for. */
export async function readTrace(
  store: Store,
  { principals }: Caller,
  { tenant_id, ...filter }: Place & Omit<TraceEventFilter, 'tenant_id' | 'principals'>,
  page: { readonly limit: number; readonly after: TraceCursor | null },
): Promise<TraceEventPage> {
  if (tenant_id === undefined) return { events: [], next: null };
  return store.transact({ tenant_id }, async (transaction) => ({
    result: await transaction.readTraceEvents({ ...filter, tenant_id, principals }, page),
  }));
}

/** Every principal that a decision is about: the one that asked, and the one that was sealed. */
function principalsIn(facts: DecisionFacts): string[] {
  return [
    ...('presented' in facts ? [facts.presented.principal_id] : []),
    ...('envelope' in facts ? [facts.envelope.principal_id] : []),
  ];
}
