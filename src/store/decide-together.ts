import type { Changes, Known, Outcome, Question } from '../app/store.js';
import { writeChanges } from './changes.js';
import { lockSessions, readKnown, toKnown, type KnownRow } from './known.js';
import { readBehind } from './lock-and-read.js';
import type { SqlTransaction } from './sql.js';

/** A question, and what becomes of it. */
export interface Asked {
  readonly question: Question;
  /** Decides, and returns what is to be written, if anything is. May be called again when a transaction lost a race. */
  readonly decide: (known: Known) => Changes | undefined;
  /** The decision is durable. */
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Decides several questions in one transaction, in two flushes and with one commit; returns those that are decided. Their
 * sessions and their keys must differ. Unless it may wait, those whose session another transaction holds are left out.
 */
export async function decideTogether(
  transaction: SqlTransaction,
  all: readonly Asked[],
  mayWait: boolean,
): Promise<Outcome<ReadonlySet<Asked>>> {
  const questions = all.map(({ question }) => question);
  const [lock, rows] = await readBehind<{ locked: boolean[] }, KnownRow[]>(
    transaction,
    lockSessions(questions, mayWait),
    () => transaction.query<KnownRow>(readKnown(questions)),
  );
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  const decided = new Set<Asked>();
  const changes: Changes[] = [];
  all.forEach((asked, place) => {
    const row = byPlace.get(place + 1);
    if (!row) throw new Error('A session that was asked about was not read');
    if (lock?.locked[place] !== true) return;
    const change = asked.decide(toKnown(asked.question, row));
    if (change) changes.push(change);
    decided.add(asked);
  });
  return { result: decided, writes: changes.length > 0 ? [transaction.query(writeChanges(changes))] : [] };
}

/** The order in which every transaction claims keys, so that no two wait for each other. */
export function inLockOrder(all: readonly Asked[]): Asked[] {
  return all.toSorted((one, other) => compare(lockKey(one), lockKey(other)));
}

function lockKey({ question: { session, claim } }: Asked): string {
  return JSON.stringify([session.tenant_id, claim?.idempotency_key ?? '', session.session_id]);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
