import { setTimeout as sleep } from 'node:timers/promises';

import { buildApp } from '../../src/http/build-app.js';
import {
  Database,
  type DatabaseOptions,
  type HeadKey,
  type Outcome,
  type Statement,
  type Transaction,
} from '../../src/store/database.js';
import { knownSchemaVersion } from '../../src/store/migrate.js';
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

type Work<T> = (transaction: Transaction) => Promise<Outcome<T>>;

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
};

/** How long `stale_reads` remembers a control state, in milliseconds: longer than a race takes. */
const memory = 300;

/** Nothing orders what happens to a session any more. */
function takeNoLock(transaction: Transaction): Transaction {
  return {
    query: (statement) => transaction.query(isLock(statement) ? withoutLock(statement) : statement),
  };
}

/** The state is read first and the lock is taken then: others' changes come in between. */
function readBeforeLock(transaction: Transaction): Transaction {
  return {
    query: async (statement) => {
      if (isLock(statement)) await sleep(2);
      return transaction.query(statement);
    },
  };
}

/** The control state is remembered for a while: a change is acknowledged, and a later decision misses it. */
function rememberReads(): (transaction: Transaction) => Transaction {
  const remembered = new Map<string, Promise<unknown[]>>();
  return (transaction) => ({
    query: async <Row extends object>(statement: Statement) => {
      if (statement.name !== 'read_recorded_state') return transaction.query<Row>(statement);
      const key = JSON.stringify(statement.values);
      const known = remembered.get(key);
      if (known) return (await known) as Row[];
      const rows = transaction.query<Row>(statement);
      remembered.set(key, rows);
      setTimeout(() => remembered.delete(key), memory);
      return rows;
    },
  });
}

function isLock({ name }: Statement): boolean {
  return name === 'lock_session_head';
}

function withoutLock(statement: Statement): Statement {
  const text = statement.text.replace('for update', '');
  if (text === statement.text) throw new Error('The lock of a session is another statement than it was');
  return { ...statement, text };
}

class Changed extends Database {
  readonly #change: (transaction: Transaction) => Transaction;

  constructor(options: DatabaseOptions, change: (transaction: Transaction) => Transaction) {
    super(options);
    this.#change = change;
  }

  override transact<T>(tenantId: string, work: Work<T>): Promise<T> {
    return super.transact(tenantId, (transaction) => work(this.#change(transaction)));
  }
}

/** Whoever wants a session waits for it on a connection. */
class WithoutTurns extends Database {
  override transactInTurn<T>({ tenant_id }: HeadKey, work: Work<T>): Promise<T> {
    return this.transact(tenant_id, work);
  }
}
