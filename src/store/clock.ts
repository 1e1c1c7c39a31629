import type { SqlTransaction } from './sql.js';

/**
 * The database's clock at the moment at which the statement runs: RFC 3339 in UTC with six fraction digits. Sent after
 * a lock, it tells the time at which the lock was granted, and no replica's clock or wait can stretch an approval.
 */
export async function readClock(transaction: SqlTransaction): Promise<string> {
  const [row] = await transaction.query<{ now: string }>({
    name: 'read_clock',
    text: 'select rfc3339(clock_timestamp()) as now',
    values: [],
  });
  if (!row) throw new Error('A query without a table returned no row');
  return row.now;
}
