import type { ConstraintText } from '../domain/context-view.js';
import type { ContinuityEnvelope } from '../domain/envelope/v1.js';
import type { ApprovalBinding } from '../domain/facts.js';
import type { PreviousEnvelope } from '../domain/previous-envelope.js';
import type { RecordFields } from '../domain/records/record-kind.js';
import type { LoggedEvent, SessionEvent } from '../domain/session-event.js';
import type { ChainKey, SessionKey, TenantKey } from '../domain/session-key.js';
import type { ChainTip, TraceEvent } from '../domain/trace-event.js';
import type { ChainBounds } from '../domain/verify-chain.js';
import type {
  AssembledState,
  DecisionKey,
  EffectKey,
  EnvelopeKey,
  FoundEnvelope,
  KeptAnswer,
  KeyClaim,
  OpeningGo,
  RecordedReconciliation,
  RecordedState,
  Reconciliation,
  RecordKey,
  RecordToWrite,
  SequencePage,
  SessionEpoch,
  SessionHead,
  SessionOwner,
  StoredDecision,
  StoredEnvelope,
  StoredRecord,
  TraceCursor,
  TraceEventFilter,
  TraceEventPage,
  UnknownEffect,
  UnknownEffectFilter,
} from './stored.js';

/**
 * What the gate asks of its store, and all that it knows of it. `test/integration/store/contract.test.ts` proves it of the
 * store on Postgres; whoever writes another one begins there.
 *
 * Every transaction belongs to one tenant: it sees and writes nothing of another, whatever its keys say. It commits all or
 * nothing, and its answer is given when the commit is durable.
 *
 * The errors are those of `store-errors.ts`. Whatever else is thrown is a fault of the program.
 */
export interface Store {
  /**
   * Runs `work` in a transaction of the tenant, and commits it.
   *
   * Each statement has a snapshot of its own: it sees all that was committed before it was sent. Statements take effect in
   * the order in which they are called, awaited or not: those that don't need each other's answers are called together.
   * `work` may leave its last writes unawaited by returning them, and the transaction fails if any of them does. A
   * transaction that lost a race is run again, so that `work` must have no effects of its own.
   *
   * Throws `RuleBrokenError` when a rule of the store refuses what is written each time that it is tried.
   *
   * Throws `StoreUnavailableError` when the store is gone, slow, or was lost half-way. Whether the transaction happened is
   * unknown then only if the connection broke during the commit itself.
   */
  transact<T>(tenant: TenantKey, work: (transaction: Transaction) => Promise<Outcome<T>>): Promise<T>;

  /**
   * The same for work that locks the head of the chain. Callers of this process get their turns in the order of arrival,
   * and whoever waits for one holds nothing. Throws `OverloadedError` too: when too many wait for the head, or too long.
   */
  transactInTurn<T>(chain: ChainKey, work: (transaction: Transaction) => Promise<Outcome<T>>): Promise<T>;

  /**
   * Decides about a session and writes what that changes of it, in turn.
   *
   * First the `Idempotency-Key` is claimed, which waits for whoever claims the same one; then the session's head is locked,
   * and made if there is none; then all that is known is read, in one snapshot that sees everything that was committed
   * before the lock was granted. `decide` is pure and may be called again when a race was lost. Questions that come at the
   * same time may share a transaction; one that fails doesn't fail the others.
   *
   * Throws what `transactInTurn` throws, `KeyTooLongError`, and what `decide` throws; then nothing was changed.
   */
  decide<T>(question: Question, decide: (known: Known) => Decided<T>): Promise<T>;

  /** Whether the store answers and, if so, at which schema version, and for programs from which one on. */
  schemaVersion(): Promise<SchemaVersion>;

  /** Whether an event that happens now can be written: the trace may lack the place for it. */
  canWriteTrace(): Promise<boolean>;

  /** Side effects of all tenants whose outcome is unknown, and for how many seconds the oldest has been. */
  unresolvedEffects(): Promise<{ count: number; oldestSeconds: number }>;

  /** Connections, those of them that are idle, and requests that wait for one. */
  readonly connections: { total: number; idle: number; waiting: number };

  /** Tells how every transaction ended, and after how many seconds. */
  observeTransactions(observer: TransactionObserver): void;
}

/** A head that is locked until the transaction ends, and what was read behind the lock. */
export interface Locked<Head, T> {
  readonly head: Head;
  readonly found: T;
}

/** What can be done in a transaction. What is not there is `undefined`; a list of what is not there is empty. */
export interface Transaction {
  /** The store's clock at the moment at which the statement runs: behind a lock, the time at which that was granted. */
  readClock(): Promise<string>;

  /**
   * Locks the session's head until the transaction ends, and waits for whoever holds it; made if there is none. `read` is
   * called behind the lock, and sees everything that was committed before that was granted. It is called again where the
   * head had to be made first: what it gave before that is dropped.
   */
  lockSession<T>(session: SessionKey, read: () => Promise<T>): Promise<Locked<SessionHead, T>>;
  /** Writes the head back; only the holder of its lock may. A head that goes back is refused. */
  saveSessionHead(session: SessionKey, head: SessionHead): Promise<void>;
  /** Who holds the session, without a lock. */
  readSessionEpoch(session: SessionKey): Promise<SessionEpoch | undefined>;
  /** Whose the session is, in one snapshot, without a lock. */
  readSessionOwner(session: SessionKey): Promise<SessionOwner | undefined>;

  /** The same two for the head of what belongs to the tenant and to none of its sessions. */
  lockTenant<T>(tenant: TenantKey, read: () => Promise<T>): Promise<Locked<ChainTip, T>>;
  saveTenantHead(tenant: TenantKey, tip: ChainTip): Promise<void>;

  /** No lock: neither ever changes. */
  findEnvelope(key: EnvelopeKey): Promise<FoundEnvelope | undefined>;
  findDecision(key: DecisionKey): Promise<StoredDecision | undefined>;

  /** The record as it was committed last. Who is about to write it holds the head of its session or tenant. */
  findRecord(key: RecordKey): Promise<StoredRecord | undefined>;
  /** For each record that this one is linked to: its ids and what both have to agree on, in the order of the kind's links. */
  findLinked(record: RecordToWrite): Promise<(RecordFields | undefined)[]>;
  /**
   * Whether the session is one of these or one that they descend from. Whoever asks holds its head; until the transaction
   * ends, nobody else in the tenant gets an answer.
   */
  leadsBack(session: SessionKey, ancestors: readonly string[]): Promise<boolean>;
  /**
   * Writes a record whole, under the lock of its head, and returns it with its new revision. What may never change, and a
   * status that may not follow, are refused.
   */
  saveRecord(record: RecordToWrite): Promise<StoredRecord>;
  /** The control state of a session by its current idempotency key, in one snapshot; undefined without a session record. */
  readAssembledState(session: SessionKey): Promise<AssembledState | undefined>;

  /** The last settlement of an effect. */
  findReconciliation(effect: EffectKey): Promise<Reconciliation | undefined>;
  /** Puts a settlement on record, under the lock of the session's head: only behind it an effect leaves unknown. */
  insertReconciliation(effect: EffectKey, settled: RecordedReconciliation): Promise<void>;
  /** The tenant's unknown effects, oldest first; with principals, those in sessions whose records name one of them. */
  readUnknownEffects(filter: UnknownEffectFilter, page: { readonly limit: number }): Promise<UnknownEffect[]>;

  /** Those of the events that are in the session's log, in no order. */
  findSessionEvents(session: SessionKey, eventIds: readonly string[]): Promise<LoggedEvent[]>;
  /** The first events behind a place in the log, in its order. */
  readSessionEvents(session: SessionKey, page: SequencePage): Promise<LoggedEvent[]>;
  /** Appends events that have their places, under the lock of the session's head. */
  insertSessionEvents(session: SessionKey, events: readonly LoggedEvent[]): Promise<void>;

  /** Appends an event that has its place in its chain, under the lock of the chain's head. */
  insertTraceEvent(event: TraceEvent): Promise<void>;
  /** A stretch of a chain, in its order. Events that share a sequence, as no gate writes them, are never parted. */
  readChain(chain: ChainKey, page: SequencePage): Promise<TraceEvent[]>;
  /** Where a session's chain begins and ends, in one snapshot: an event and its head are seen both or neither. */
  readChainBounds(session: SessionKey): Promise<ChainBounds | undefined>;
  /**
   * Events of the tenant in the order in which their transactions began, and within one in the order of writing. Stops
   * before the oldest open transaction that may still commit one: an event is returned late rather than skipped.
   */
  readTraceEvents(
    filter: TraceEventFilter,
    page: { readonly limit: number; readonly after: TraceCursor | null },
  ): Promise<TraceEventPage>;
}

/** What a transaction gives back, and the writes that go out with its commit. */
export interface Outcome<T> {
  readonly result: T;
  readonly writes?: readonly Promise<unknown>[];
}

/** What a decision is about, and all that has to be known before it can be made. */
export interface Question {
  /** The session whose head is locked. */
  readonly session: SessionKey;
  readonly envelope_id: string;
  /** An envelope that is about to be stored under that id; left out, what is stored there is asked about. */
  readonly given?: ContinuityEnvelope;
  readonly claim?: KeyClaim | undefined;
}

/** What the gate knows behind the lock, all of it at one moment. */
export interface Known {
  /** The database's clock. */
  readonly now: string;
  readonly head: SessionHead;
  /** The go that opened the session's epoch; null where none did, or none that is known. */
  readonly opened_by: OpeningGo | null;
  /** What stands under the `Idempotency-Key` already, with the decision as it was stored. */
  readonly kept: (KeptAnswer & { readonly decision: StoredDecision | undefined }) | undefined;
  /** The envelope that is stored under the id. */
  readonly envelope: FoundEnvelope | undefined;
  /** Undefined if no envelope is stored and none was given. */
  readonly recorded: RecordedState | undefined;
  /** For an envelope that is not stored yet: its session's newest one, if that binds the session. */
  readonly previous: PreviousEnvelope | null;
  /** What each of its approvals was first sealed under. */
  readonly firstBindings: ReadonlyMap<string, ApprovalBinding>;
  /** For a stored one: the texts of the constraints that bind, and what has happened since it was sealed. */
  readonly constraints: readonly ConstraintText[];
  readonly uncovered_events: readonly UncoveredEvent[];
}

/** An event of the session that the envelope's range does not cover. */
export type UncoveredEvent = Pick<SessionEvent, 'event_id' | 'event_type'> & { readonly sequence: number };

/** What was decided, and what that changes. */
export interface Decided<T> {
  readonly result: T;
  readonly changes?: Changes;
}

/** What a decision changes of its session. All of it is written, or nothing. */
export interface Changes {
  /** The event, linked to the end of the session's chain. */
  readonly event: TraceEvent;
  /** The head as it is from now on; its chain ends with the event. */
  readonly head: SessionHead;
  /** The decision that the event is about: the event names its ids, its status and its reason. */
  readonly decision?: StoredDecision;
  /** The envelope that the event is about, sealed at its moment. */
  readonly envelope?: StoredEnvelope;
  /** The `Idempotency-Key` that stands for the decision from now on, instead of for an older one. */
  readonly kept_key?: string | undefined;
}

export interface SchemaVersion {
  readonly version: number;
  /** The schema version of the oldest program that works on it. */
  readonly oldestProgram: number;
}

/** Hears how a transaction ended, and after how many seconds. */
export type TransactionObserver = (outcome: 'committed' | 'failed', seconds: number) => void;
