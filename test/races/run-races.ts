import { createTestDatabase, query } from '../support/database.js';
import { setHeadGuards } from '../support/head-guards.js';
import { checkHistory } from './check-history.js';
import { startGates } from './gates.js';
import type { Exchange, Violation } from './history.js';
import { liveThrough, type Ask } from './life.js';
import { readStore } from './read-store.js';
import type { Mutant } from './worker.js';

export interface RaceOptions {
  readonly mutant?: Mutant;
  /** How many processes serve the same database. */
  readonly processes: number;
  /** Sessions in all, and how many of them live at the same time. */
  readonly sessions: number;
  readonly atOnce: number;
  readonly ask?: Ask;
  /** What happens to the database meanwhile. */
  readonly disturb?: (connectionString: string, over: AbortSignal) => Promise<unknown>;
}

export interface RaceResult {
  readonly exchanges: readonly Exchange[];
  /** How often a writer raced with runtimes. */
  readonly races: number;
  readonly violations: readonly Violation[];
  /** The server's own counts; a backend has told them by the time that it has ended. */
  readonly deadlocks: number;
  /** Every transaction that timed out, lost a race or failed otherwise is one. */
  readonly rollbacks: number;
}

/** Lets sessions live through their races, on a database of their own, and checks what has come of it. */
export async function runRaces(options: RaceOptions): Promise<RaceResult> {
  const store = await createTestDatabase();
  const { connectionString } = store;
  if (options.mutant) await setHeadGuards(connectionString, 'disable');
  try {
    const lived = await liveAll(connectionString, options);
    const exchanges = lived.flatMap((life) => life.exchanges);
    const [statistics] = await query(
      connectionString,
      `select deadlocks::integer, xact_rollback::integer as rollbacks
       from pg_stat_database where datname = current_database()`,
    );
    return {
      exchanges,
      races: lived.reduce((sum, { races }) => sum + races, 0),
      violations: checkHistory(exchanges, await readStore(connectionString)),
      ...(statistics as { deadlocks: number; rollbacks: number }),
    };
  } finally {
    await store.drop();
  }
}

async function liveAll(connectionString: string, options: RaceOptions) {
  const { mutant, processes, sessions, atOnce, ask = (send) => send(), disturb } = options;
  const gates = await startGates(processes, connectionString, mutant);
  const over = new AbortController();
  const disturbed = disturb?.(connectionString, over.signal);
  try {
    const prefixes = Array.from({ length: sessions }, (_, index) => `s${index}`).values();
    const lanes = Array.from({ length: atOnce }, async () => {
      const lived = [];
      for (const prefix of prefixes) lived.push(await liveThrough(gates, prefix, ask));
      return lived;
    });
    return (await Promise.all(lanes)).flat();
  } finally {
    over.abort();
    await disturbed;
    await Promise.all(gates.map((gate) => gate.stop()));
  }
}
