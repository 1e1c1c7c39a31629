import { envelopeFacts } from '../domain/envelope/versions.js';
import type { DecisionFacts } from '../domain/facts.js';
import { recordKinds, type KnownKind } from '../domain/record-kinds.js';
import { sessionOf } from '../domain/record-links.js';
import { replay, type Replay } from '../domain/replay.js';
import type { SessionKey } from '../domain/session-key.js';
import type { TraceEvent } from '../domain/trace-event.js';
import type { LoggedEvent } from '../domain/session-event.js';
import { maySpeakFor, type Caller } from './caller.js';
import { mayReadSession } from './session-access.js';
import type { Store, Transaction } from './store.js';
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
import { verifyTrace, type TraceIntegrity } from './verify-trace.js';

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

/** A record of the tenant; undefined if there is none that the caller may see. */
export function readRecord(store: Store, caller: Caller, key: RecordKey): Promise<StoredRecord | undefined> {
  const { name, tenant_id, keys } = key;
  const kind: KnownKind = recordKinds[name];
  const principal_id = kind.principalKey === undefined ? undefined : keys[kind.principalKey];
  return store.transact(key, async (transaction) => {
    if (principal_id !== undefined && !maySpeakFor(caller, principal_id)) return { result: undefined };
    const record = await transaction.findRecord(key);
    const session_id = record && sessionOf(kind, { keys, fields: record.fields });
    const isOthers =
      session_id !== undefined && !(await mayReadSession(transaction, caller, { tenant_id, session_id }));
    return { result: isOthers ? undefined : record };
  });
}

/** The control state of a session as its records have it; undefined if there is no record that the caller may see. */
export function readControlState(
  store: Store,
  caller: Caller,
  session: SessionKey,
): Promise<AssembledState | undefined> {
  return readInSession(store, caller, session, (transaction) => transaction.readAssembledState(session));
}

/** Who holds a session; undefined if it is none that the caller may see. */
export function readEpoch(
  store: Store,
  caller: Caller,
  session: SessionKey,
): Promise<SessionEpoch | undefined> {
  return readInSession(store, caller, session, (transaction) => transaction.readSessionEpoch(session));
}

/** The tenant's unknown effects, oldest first, in sessions of those principals that the caller may speak for. */
export function readReconciliations(
  store: Store,
  { principals }: Caller,
  tenant_id: string,
  page: { readonly limit: number },
): Promise<UnknownEffect[]> {
  return store.transact({ tenant_id }, async (transaction) => ({
    result: await transaction.readUnknownEffects({ tenant_id, principals }, page),
  }));
}

/** A stretch of a session's event log; empty if there is nothing there that the caller may see. */
export async function readSessionEvents(
  store: Store,
  caller: Caller,
  session: SessionKey,
  page: SequencePage,
): Promise<LoggedEvent[]> {
  const events = await readInSession(store, caller, session, (transaction) =>
    transaction.readSessionEvents(session, page),
  );
  return events ?? [];
}

/** A session's chain of events in its own order, and who holds it; undefined if it is none that the caller may see. */
export function readTimeline(
  store: Store,
  caller: Caller,
  session: SessionKey,
  page: SequencePage,
): Promise<{ readonly epoch: SessionEpoch; readonly events: TraceEvent[] } | undefined> {
  return readInSession(store, caller, session, async (transaction) => {
    const [epoch, events] = await Promise.all([
      transaction.readSessionEpoch(session),
      transaction.readChain(session, page),
    ]);
    return epoch && { epoch, events };
  });
}

/** What the verification of a session's chain finds; undefined if it is no session that the caller may see. */
export async function readTraceIntegrity(
  store: Store,
  caller: Caller,
  session: SessionKey,
): Promise<TraceIntegrity | undefined> {
  const isTheirs = await readInSession(store, caller, session, () => Promise.resolve(true));
  return isTheirs ? verifyTrace(store, session) : undefined;
}

/** What is read of a session; undefined where the caller may not see it. */
function readInSession<T>(
  store: Store,
  caller: Caller,
  session: SessionKey,
  read: (transaction: Transaction) => Promise<T>,
): Promise<T | undefined> {
  return store.transact(session, async (transaction) => {
    const [isTheirs, found] = await Promise.all([
      mayReadSession(transaction, caller, session),
      read(transaction),
    ]);
    return { result: isTheirs ? found : undefined };
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
