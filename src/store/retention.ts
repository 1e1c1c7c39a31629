import { asOwner } from './owner.js';

/**
 * Drops the trace partitions that ended before a moment, and anchors every chain that they held a part of, all in one
 * transaction. Returns the names of what was dropped, oldest first. Only the owner of the schema may.
 */
export function dropTracePartitions(connectionString: string, endedBefore: string): Promise<string[]> {
  return asOwner(connectionString, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select name from drop_trace_partitions(ended_before => $1::timestamptz) as dropped (name)',
      [endedBefore],
    );
    return rows.map(({ name }) => name);
  });
}
