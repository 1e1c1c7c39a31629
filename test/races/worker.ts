import { setTimeout as sleep } from 'node:timers/promises';

import type { Decided, Known, Outcome, Question, Transaction } from '../../src/app/store.js';
import type { ChainKey } from '../../src/domain/session-key.js';
import { buildApp } from '../../src/http/build-app.js';
import { decideTogether, type Asked } from '../../src/store/decide-together.js';
import { Database, type DatabaseOptions } from '../../src/store/database.js';
import { knownSchemaVersion } from '../../src/store/migrate.js';
import type { SqlTransaction, Statement } from '../../src/store/sql.js';
import { valueAt } from '../support/edit-json.js';
import { testReceipts } from '../support/test-receipts.js';
import type { Gate } from './gates.js';

/** What a worker process is told on its command line, as JSON. */
export interface WorkerOptions {
  readonly connectionString: string;
  readonly mutant: Mutant;
}

/** Serves one gate in this process. */
export function startWorker({ connectionString, mutant }: WorkerOptions): Promise<Gate> {
  return serveGate(openMutant(mutant, { connectionString }));
}

/** Serves the gate over the given store on a port of its own, until it is stopped. */
export async function serveGate(database: Database): Promise<Gate> {
  const app = await buildApp({
    database,
    schemaVersion: await knownSchemaVersion(),
    access: { mode: 'open', attestedState: true, hostNames: undefined },
    receipts: await testReceipts(),
  });
  return {
    url: await app.listen({ host: '127.0.0.1', port: 0 }),
    stop: async () => {
      await app.close();
      await database.close();
    },
  };
}

type Work<T> = (transaction: SqlTransaction) => Promise<Outcome<T>>;

/** Versions of the store that each break a promise of the gate, for the tests to catch. `none` breaks none. */
export type Mutant = keyof typeof mutants;

export function openMutant(mutant: Mutant, options: DatabaseOptions): Database {
  return mutants[mutant](options);
}

const mutants = {
  none: (options: DatabaseOptions) => new Database(options),
  no_lock: (options: DatabaseOptions) => new Changed(options, takeNoLock),
  read_before_lock: (options: DatabaseOptions) => new Changed(options, readBeforeLock),
  stale_reads: (options: DatabaseOptions) => new Changed(options, rememberReads()),
  no_turns: (options: DatabaseOptions) => new WithoutTurns(options),
  swapped_answers: (options: DatabaseOptions) => new Changed(options, swapAnswers),
  swapped_writes: (options: DatabaseOptions) => new Changed(options, swapWrites),
  one_tenant: (options: DatabaseOptions) => new Changed(options, writeForFirstTenant),
};

/** How long `stale_reads` remembers a control state, in milliseconds: longer than a race takes. */
const memory = 300;

/** Nothing orders what happens to a session any more. */
function takeNoLock(transaction: SqlTransaction): SqlTransaction {
  return {
    query: (statement) => transaction.query(isLock(statement) ? withoutLock(statement) : statement),
  };
}

/** The state is read first and the lock is taken then: others' changes come in between. */
function readBeforeLock(transaction: SqlTransaction): SqlTransaction {
  return {
    query: async (statement) => {
      if (isLock(statement)) await sleep(2);
      return transaction.query(statement);
    },
  };
}

/** The control state is remembered for a while: a change is acknowledged, and a later decision misses it. */
function rememberReads(): (transaction: SqlTransaction) => SqlTransaction {
  const remembered = new Map<string, object>();
  return (transaction) => ({
    query: async <Row extends object>(statement: Statement) => {
      const rows = await transaction.query<Row>(statement);
      if (statement.name !== 'read_known') return rows;
      return rows.map((row) => {
        const place = Number(valueAt(row, '/place')) - 1;
        const key = JSON.stringify(
          statement.values.slice(0, 3).map((column) => valueAt(column, `/${place}`)),
        );
        const known = remembered.get(key);
        if (known) return { ...row, ...known };
        const state = Object.entries(row).filter(([column]) => !ofTheSession.test(column));
        remembered.set(key, Object.fromEntries(state));
        setTimeout(() => remembered.delete(key), memory);
        return row;
      });
    },
  });
}

/** What is always read anew: whose it is, the clock, the session's head, and what stands under a key. */
const ofTheSession =
  /^(?:place|now|session_epoch|held_.*|newest_.*|has_records|event_sequence|lineage_sha256|trace_sequence|trace_sha256|kept_.*)$/;

/** Each of those who share a transaction is told what is known of another. */
function swapAnswers(transaction: SqlTransaction): SqlTransaction {
  return {
    query: async <Row extends object>(statement: Statement) => {
      const rows = await transaction.query<Row>(statement);
      if (statement.name !== 'read_known') return rows;
      return rows.map((row, index) => ({
        ...row,
        place: valueAt(rows[(index + 1) % rows.length], '/place'),
      }));
    },
  };
}

/** What was decided of one session is written for another of those who share the transaction. */
function swapWrites(transaction: SqlTransaction): SqlTransaction {
  return withWrites(transaction, ([tenants = [], sessions = [], ...others]) => [
    rotated(tenants),
    rotated(sessions),
    ...others,
  ]);
}

/** What is written of all those who share a transaction is written for the tenant of the first. */
function writeForFirstTenant(transaction: SqlTransaction): SqlTransaction {
  return withWrites(transaction, ([tenants = [], ...others]) => [tenants.map(() => tenants[0]), ...others]);
}

function withWrites(
  transaction: SqlTransaction,
  change: (columns: readonly (readonly unknown[])[]) => readonly (readonly unknown[])[],
): SqlTransaction {
  return {
    query: (statement) => {
      if (statement.name !== 'write_session_changes') return transaction.query(statement);
      return transaction.query({ ...statement, values: change(statement.values as unknown[][]) });
    },
  };
}

function rotated(column: readonly unknown[]): unknown[] {
  return [...column.slice(1), ...column.slice(0, 1)];
}

function isLock({ name }: Statement): boolean {
  return name === 'lock_session_head' || name === 'lock_sessions';
}

function withoutLock(statement: Statement): Statement {
  if (statement.name === 'lock_sessions') {
    const [, tenants] = statement.values;
    return {
      name: 'no_lock',
      text: 'select array_fill(true, array[cardinality($1::text[])]) as locked',
      values: [tenants],
    };
  }
  const text = statement.text.replace('for update', '');
  if (text === statement.text) throw new Error('The lock of a session is another statement than it was');
  return { ...statement, text };
}

class Changed extends Database {
  readonly #change: (transaction: SqlTransaction) => SqlTransaction;

  constructor(options: DatabaseOptions, change: (transaction: SqlTransaction) => SqlTransaction) {
    super(options);
    this.#change = change;
  }

  override transactSql<T>(tenantId: string | null, work: Work<T>): Promise<T> {
    return super.transactSql(tenantId, (transaction) => work(this.#change(transaction)));
  }
}

/** Whoever wants a session waits for it on a connection. */
class WithoutTurns extends Database {
  override transactInTurn<T>(
    chain: ChainKey,
    work: (transaction: Transaction) => Promise<Outcome<T>>,
  ): Promise<T> {
    return this.transact(chain, work);
  }

  override async decide<T>(question: Question, decide: (known: Known) => Decided<T>): Promise<T> {
    let result: T | undefined;
    const asked: Asked = {
      question,
      decide: (known) => {
        const decided = decide(known);
        ({ result } = decided);
        return decided.changes;
      },
      settle: () => undefined,
      fail: () => undefined,
    };
    await this.transactSql(null, (transaction) => decideTogether(transaction, [asked], true));
    return result as T;
  }
}
