import { Database, type Outcome, type Statement, type Transaction } from '../../../src/store/database.js';
import { query } from '../../support/database.js';

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

  override transact<T>(
    tenantId: string,
    work: (transaction: Transaction) => Promise<Outcome<T>>,
  ): Promise<T> {
    return super.transact(tenantId, async (transaction) => {
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
