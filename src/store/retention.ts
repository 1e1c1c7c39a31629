import pg from 'pg';

import { asOwner } from './owner.js';

/** A transaction that is still open has read the trace, and nothing is dropped under it. Nothing was changed. */
export class TraceInUseError extends Error {
  readonly code = 'trace_in_use';

  constructor(cause: unknown) {
    super(
      'A transaction that is still open, perhaps of somebody with SQL, has read the trace: end it and start again.',
      {
        cause,
      },
    );
  }
}

/**
 * Drops the trace partitions that ended before a moment, and anchors every chain that they held a part of, all in one
 * transaction. Returns the names of what was dropped, oldest first. Only the owner of the schema may. While it waits for
 * those who are reading the trace nobody can write to it, so that it gives up soon, with `TraceInUseError`.
 */
export async function dropTracePartitions(connectionString: string, endedBefore: string): Promise<string[]> {
  try {
    return await drop(connectionString, endedBefore);
  } catch (error) {
    throw error instanceof pg.DatabaseError && error.code === '55P03' ? new TraceInUseError(error) : error;
  }
}

function drop(connectionString: string, endedBefore: string): Promise<string[]> {
  return asOwner(connectionString, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select name from drop_trace_partitions(ended_before => $1::timestamptz) as dropped (name)',
      [endedBefore],
    );
    return rows.map(({ name }) => name);
  });
}
