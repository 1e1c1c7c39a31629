import pg from 'pg';

/**
 * Drops the trace partitions that ended before a moment, and anchors every chain that they held a part of, all in one
 * transaction. Returns the names of what was dropped, oldest first. Only the owner of the schema may.
 */
export async function dropTracePartitions(connectionString: string, endedBefore: string): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  // Without a listener a connection that breaks while idle would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      'select name from drop_trace_partitions(ended_before => $1::timestamptz) as dropped (name)',
      [endedBefore],
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
