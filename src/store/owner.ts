import pg from 'pg';

/** Runs work in one transaction of the role that the connection string names: the owner of the schema, or a reader. */
export async function asOwner<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString, application_name: 'continuity-gate' });
  // Without a listener a connection that breaks while idle would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    // What was not committed is rolled back with it.
    await client.end();
  }
}
