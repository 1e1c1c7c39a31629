import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import type {
  Decided,
  Known,
  Outcome,
  Question,
  SchemaVersion,
  Store,
  Transaction,
  TransactionObserver,
} from '../app/store.js';
import { OverloadedError, StoreUnavailableError } from '../app/store-errors.js';
import type { ChainKey, TenantKey } from '../domain/session-key.js';
import { asServiceRole } from './database-settings.js';
import { decideTogether, inLockOrder, type Asked } from './decide-together.js';
import { LostRaceError, lostForGood, toStoreError } from './errors.js';
import { Gatherer } from './gatherer.js';
import { GatheringSocket } from './gathering-socket.js';
import type { SqlTransaction, Statement } from './sql.js';
import { transactionOf } from './transaction.js';
import { Turns } from './turns.js';

/** Time-outs in milliseconds. Each bounds what a slow or dead store can cost a caller. */
export interface DatabaseOptions {
  readonly connectionString: string;
  /** Connections at most; more than a few times the cores of the database only queue there. */
  readonly maxConnections?: number;
  /** Requests at most that wait for a connection, or for the same head; one more is turned away at once. */
  readonly maxWaiting?: number;
  readonly connectTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  readonly statementTimeoutMs?: number;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  readonly onConnectionError?: (error: Error) => void;
}

/** How often a transaction that lost a race is run in all. */
const maxAttempts = 4;

/** How many decisions share a transaction at most, and how many such transactions there are at the same time. */
const batchSize = 32;
const batches = 2;

/** The governed store, on Postgres. */
export class Database implements Store {
  readonly #pool: pg.Pool;
  readonly #maxWaiting: number;
  readonly #turns: Turns;
  readonly #gatherer: Gatherer<Asked>;
  #onTransaction: TransactionObserver = () => undefined;

  constructor({
    connectionString,
    maxConnections = 8,
    maxWaiting = 1_000,
    connectTimeoutMs = 2_000,
    lockTimeoutMs = 2_000,
    statementTimeoutMs = 4_000,
    onConnectionError = () => undefined,
  }: DatabaseOptions) {
    this.#pool = new pg.Pool({
      ...asServiceRole(connectionString),
      max: maxConnections,
      pipeline: true,
      stream: () => new GatheringSocket(),
      application_name: 'continuity-gate',
      connectionTimeoutMillis: connectTimeoutMs,
      lock_timeout: lockTimeoutMs,
      statement_timeout: statementTimeoutMs,
      // A server that vanished without closing the connection answers nothing at all, not even a time-out.
      query_timeout: statementTimeoutMs + 1_000,
      idle_in_transaction_session_timeout: 2 * statementTimeoutMs,
      keepAlive: true,
    });
    this.#maxWaiting = maxWaiting;
    this.#turns = new Turns({ maxWaiting, patienceMs: lockTimeoutMs });
    this.#gatherer = new Gatherer({ batchSize, batches, maxWaiting, patienceMs: connectTimeoutMs }, (batch) =>
      this.#decideTogether(batch),
    );
    this.#pool.on('error', onConnectionError);
    this.#pool.on('connect', (client) => {
      // One that breaks in use between two statements tells nobody but its listeners, and without any it ends the
      // process. The next statement on it fails by itself.
      client.on('error', () => undefined);
    });
  }

  transact<T>({ tenant_id }: TenantKey, work: (transaction: Transaction) => Promise<Outcome<T>>): Promise<T> {
    return this.transactSql(tenant_id, (transaction) => work(transactionOf(transaction)));
  }

  /**
   * Otherwise everyone who wants the same session would wait for it on a connection of its own, until there is none left
   * for any other session.
   */
  transactInTurn<T>(chain: ChainKey, work: (transaction: Transaction) => Promise<Outcome<T>>): Promise<T> {
    return this.#turns.take(turnOf(chain), () => this.transact(chain, work));
  }

  decide<T>(question: Question, decide: (known: Known) => Decided<T>): Promise<T> {
    const { session, claim } = question;
    const inTurn = () => this.#turns.take(turnOf(session), () => this.#gather(question, decide));
    if (!claim) return inTurn();
    return this.#turns.take(JSON.stringify([claim.tenant_id, claim.idempotency_key, 'key']), inTurn);
  }

  /**
   * Runs statements in a transaction of a tenant; without one it sees nothing until a statement says of which it is.
   *
   * A transaction that lost a race is run again up to `attempts` times in all.
   */
  async transactSql<T>(
    tenantId: string | null,
    work: (transaction: SqlTransaction) => Promise<Outcome<T>>,
    attempts = maxAttempts,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#transactOnce(tenantId, work);
      } catch (error) {
        if (!(error instanceof LostRaceError)) throw error;
        if (attempt === attempts) throw lostForGood(error);
        await sleep(Math.random() * 10 * attempt);
      }
    }
  }

  observeTransactions(observer: TransactionObserver): void {
    this.#onTransaction = observer;
  }

  get connections(): { total: number; idle: number; waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { total, idle, waiting: waiting + this.#gatherer.waiting };
  }

  async unresolvedEffects(): Promise<{ count: number; oldestSeconds: number }> {
    const { rows } = await this.#askAlone<{ count: string; oldest_seconds: number }>({
      name: 'unresolved_effects',
      text: 'select count, oldest_seconds from unresolved_effects()',
      values: [],
    });
    return { count: Number(rows[0]?.count ?? 0), oldestSeconds: rows[0]?.oldest_seconds ?? 0 };
  }

  async schemaVersion(): Promise<SchemaVersion> {
    const { rows } = await this.#askAlone<{ version: string; oldest_program: number }>({
      name: 'schema_version',
      text: 'select max(version) as version, max(oldest_program) as oldest_program from schema_versions',
      values: [],
    });
    return { version: Number(rows[0]?.version ?? 0), oldestProgram: rows[0]?.oldest_program ?? 0 };
  }

  async canWriteTrace(): Promise<boolean> {
    const { rows } = await this.#askAlone<{ has_partition: boolean }>({
      name: 'has_current_partition',
      text: `
        select to_regclass(
          format('public.trace_events_%s', to_char(clock_timestamp() at time zone 'UTC', 'YYYY_MM'))
        ) is not null as has_partition`,
      values: [],
    });
    return rows[0]?.has_partition ?? false;
  }

  /** Makes the trace partitions of the coming months; the service role may not make tables itself. */
  async ensureTracePartitions(monthsAhead: number): Promise<void> {
    await this.#askAlone({
      name: 'ensure_trace_partitions',
      text: 'select ensure_trace_partitions(months_ahead => $1::integer)',
      values: [monthsAhead],
    });
  }

  /** Waits for what is in flight and closes every connection. */
  async close(): Promise<void> {
    await this.#pool.end();
  }

  #gather<T>(question: Question, decide: (known: Known) => Decided<T>): Promise<T> {
    return new Promise<T>((resolve, fail) => {
      let settle = () => {
        fail(new Error('A question was settled that was not decided'));
      };
      const asked: Asked = {
        question,
        decide: (known) => {
          const { result, changes } = decide(known);
          settle = () => {
            resolve(result);
          };
          return changes;
        },
        settle: () => {
          settle();
        },
        fail,
      };
      this.#gatherer.add(asked, fail);
    });
  }

  async #decideTogether(all: Asked[]): Promise<void> {
    const [only] = all;
    if (only && all.length === 1) return this.#decideAlone(only);
    try {
      const decided = await this.transactSql(
        null,
        (transaction) => decideTogether(transaction, inLockOrder(all), false),
        1,
      );
      for (const asked of decided) asked.settle();
      await Promise.all(all.filter((asked) => !decided.has(asked)).map((asked) => this.#decideAlone(asked)));
    } catch (error) {
      if (isSilent(error) || error instanceof OverloadedError) for (const asked of all) asked.fail(error);
      else await Promise.all(all.map((asked) => this.#decideAlone(asked)));
    }
  }

  async #decideAlone(asked: Asked): Promise<void> {
    try {
      await this.transactSql(null, (transaction) => decideTogether(transaction, [asked], true));
      asked.settle();
    } catch (error) {
      asked.fail(error);
    }
  }

  async #transactOnce<T>(
    tenantId: string | null,
    work: (transaction: SqlTransaction) => Promise<Outcome<T>>,
  ): Promise<T> {
    const started = performance.now();
    const tell = (outcome: 'committed' | 'failed') => {
      this.#onTransaction(outcome, (performance.now() - started) / 1_000);
    };
    const client = await this.#connect().catch((error: unknown) => {
      tell('failed');
      throw error;
    });
    let broken: Error | undefined;
    try {
      const result = await runTransaction(client, tenantId, work);
      tell('committed');
      return result;
    } catch (error) {
      tell('failed');
      broken = isSilent(error) ? error : await rollBack(client);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** One statement that is a transaction of its own and belongs to no tenant. */
  async #askAlone<Row extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<Row>> {
    const client = await this.#connect();
    let broken: Error | undefined;
    try {
      return await ask<Row>(client, statement);
    } catch (error) {
      if (isSilent(error)) broken = error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.#pool.waitingCount >= this.#maxWaiting) throw new OverloadedError();
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw new StoreUnavailableError(error);
    }
  }
}

async function runTransaction<T>(
  client: pg.PoolClient,
  tenantId: string | null,
  work: (transaction: SqlTransaction) => Promise<Outcome<T>>,
): Promise<T> {
  const opened = [
    // Whatever the database defaults to: what is asked behind a lock has to see what was committed before it was granted.
    ask(client, { name: 'begin', text: 'begin isolation level read committed', values: [] }),
    ...(tenantId === null ? [] : [ask(client, setTenant(tenantId))]),
  ];
  // Whoever fails first decides the outcome; the others' errors only say that the transaction was already lost.
  for (const promise of opened) promise.catch(() => undefined);
  const { result, writes = [] } = await work({
    query: async <Row extends pg.QueryResultRow>(statement: Statement) =>
      (await ask<Row>(client, statement)).rows,
  });
  const committed = ask(client, { name: 'commit', text: 'commit', values: [] });
  const [commit] = await Promise.all([committed, ...opened, ...writes]);
  // Postgres answers the commit of a failed transaction with a roll-back and no error.
  if (commit.command !== 'COMMIT')
    throw new StoreUnavailableError(new Error('The transaction was rolled back'));
  return result;
}

function setTenant(tenantId: string): Statement {
  return {
    name: 'set_tenant',
    text: "select set_config('continuity.tenant_id', $1, true)",
    values: [tenantId],
  };
}

/** What a chain's head is waited for by. */
function turnOf({ tenant_id, session_id }: ChainKey): string {
  return JSON.stringify([tenant_id, session_id]);
}

async function ask<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  statement: Statement,
): Promise<pg.QueryResult<Row>> {
  try {
    return await client.query<Row>({ ...statement, values: [...statement.values] });
  } catch (error) {
    throw toStoreError(error);
  }
}

/**
 * Whether it was not Postgres that said so. A connection that broke, or on which nothing is answered any more, is fit
 * for nothing: to wait for a roll-back on it would only double the time that the caller waits.
 */
function isSilent(error: unknown): error is StoreUnavailableError {
  if (!(error instanceof StoreUnavailableError)) return false;
  return !(error.cause instanceof pg.DatabaseError || error.cause instanceof LostRaceError);
}

/** The error that makes the connection unfit for the pool, if the roll-back failed. */
async function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
