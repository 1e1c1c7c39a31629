import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  readonly connectionString: string;
  drop(): Promise<void>;
}

/** A migrated database for one test file, cloned from the run's template; whoever asked for it drops it. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createFrom(inject('testServer').templateDatabase);
}

/** A database in which nothing is made yet, with options of `create database`; whoever asked for it drops it. */
export function createEmptyDatabase(options = ''): Promise<TestDatabase> {
  return createFrom(`template0 ${options}`);
}

/** A copy of a database that nobody is connected to, as a restore of a backup of its files. */
export function copyDatabase({ connectionString }: TestDatabase): Promise<TestDatabase> {
  return createFrom(new URL(connectionString).pathname.slice(1));
}

async function createFrom(template: string): Promise<TestDatabase> {
  const { connectionString } = inject('testServer');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await query(connectionString, `create database ${name} template ${template}`);
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return {
    connectionString: url.href,
    drop: async () => {
      await query(connectionString, `drop database ${name} with (force)`);
    },
  };
}

/** The rows of one statement, on a connection of its own. */
export async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}
