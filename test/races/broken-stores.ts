import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

import type { Outcome } from '../../src/app/store.js';
import { Database } from '../../src/store/database.js';
import type { SqlTransaction, Statement } from '../../src/store/sql.js';
import { query } from '../support/database.js';

/** A store whose connection breaks before a statement of one's choice; the commit counts as the last statement. */
export class CutDatabase extends Database {
  readonly #connectionString: string;
  #sent = 0;
  #cutBefore = Infinity;

  constructor(connectionString: string) {
    super({ connectionString });
    this.#connectionString = connectionString;
  }

  /** Breaks the connection before the statement of this number, counted from 1 and from now on. */
  cutBefore(statement: number): void {
    this.#sent = 0;
    this.#cutBefore = statement;
  }

  get wasCut(): boolean {
    return this.#sent >= this.#cutBefore;
  }

  override transactSql<T>(
    tenantId: string | null,
    work: (transaction: SqlTransaction) => Promise<Outcome<T>>,
  ): Promise<T> {
    return super.transactSql(tenantId, async (transaction) => {
      const [backend] = await transaction.query<{ pid: number }>(ownBackend);
      const inTurn = new InTurn(async () => {
        this.#sent += 1;
        if (this.#sent !== this.#cutBefore) return;
        await query(this.#connectionString, `select pg_terminate_backend(${String(backend?.pid)}, 5000)`);
      });
      const outcome = await work({
        query: (statement) => inTurn.run(() => transaction.query(statement)),
      });
      await Promise.allSettled(outcome.writes ?? []);
      await inTurn.run(() => Promise.resolve());
      return outcome;
    });
  }
}

const ownBackend: Statement = { name: 'own_backend', text: 'select pg_backend_pid() as pid', values: [] };

/** Statements that would travel together travel one by one, with a step before each. */
class InTurn {
  readonly #before: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(before: () => Promise<void>) {
    this.#before = before;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(this.#before).then(work);
    this.#last = next.catch(() => undefined);
    return next;
  }
}

/** Stands between a gate and its store, and breaks a connection when the store says that it has committed. */
export interface CommitLoser {
  readonly connectionString: string;
  /** The commit of this number from now on, counted from 1, happens, and nobody hears of it. */
  loseCommit(number: number): void;
  close(): void;
}

/** How Postgres completes a commit: a message of type C with the command's name. */
const commitTag = Buffer.from('COMMIT\0');

export async function startCommitLoser(connectionString: string): Promise<CommitLoser> {
  const url = new URL(connectionString);
  const { port, hostname } = url;
  let countdown = 0;
  const server = createServer((client) => {
    const store = connect(Number(port), hostname);
    client.on('data', (chunk) => store.write(chunk));
    store.on('data', (chunk) => {
      if (chunk.includes(commitTag)) countdown -= 1;
      if (countdown === 0 && chunk.includes(commitTag)) client.destroy();
      else client.write(chunk);
    });
    client.on('close', () => store.destroy()).on('error', () => store.destroy());
    store.on('close', () => client.destroy()).on('error', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    connectionString: url.href,
    loseCommit: (number) => {
      countdown = number;
    },
    close: () => server.close(),
  };
}
