import type { Locked } from '../app/store.js';
import type { SqlTransaction, Statement } from './sql.js';

/** A head by its statements: what locks it, what makes it unless it is there, and what its row says. */
export interface HeadStatements<Row, Head> {
  readonly lock: Statement;
  readonly create: Statement;
  readonly toHead: (row: Row) => Head;
}

/**
 * Locks a head and reads what depends on it in one round trip.
 *
 * What has no head yet gets one, and everything is read again once that is locked: while the head was being made, somebody
 * else may have made it and written behind it.
 */
export async function lockAndRead<Row extends object, Head, T>(
  transaction: SqlTransaction,
  { lock, create, toHead }: HeadStatements<Row, Head>,
  read: () => Promise<T>,
): Promise<Locked<Head, T>> {
  const [row, found] = await readBehind<Row, T>(transaction, lock, read);
  if (row) return { head: toHead(row), found };
  await transaction.query(create);
  const [createdRow, foundBehindIt] = await readBehind<Row, T>(transaction, lock, read);
  if (!createdRow) throw new Error('A head that was just made is gone');
  return { head: toHead(createdRow), found: foundBehindIt };
}

/**
 * The first row of a statement that locks, and what `read` reads behind the lock. Nothing can be read before it: `read` is
 * called once the lock's statement is on the wire, and a connection's statements are run in the order in which they came.
 */
export async function readBehind<Row extends object, T>(
  transaction: SqlTransaction,
  lock: Statement,
  read: () => Promise<T>,
): Promise<[Row | undefined, T]> {
  const locking = transaction.query<Row>(lock);
  const [[row], found] = await Promise.all([locking, read()]);
  return [row, found];
}
