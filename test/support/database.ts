import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  readonly connectionString: string;
  drop(): Promise<void>;
}

/** A migrated database for one test file, cloned from the run's template; whoever asked for it drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { connectionString, templateDatabase } = inject('testServer');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await query(connectionString, `create database ${name} template ${templateDatabase}`);
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return {
    connectionString: url.href,
    drop: () => query(connectionString, `drop database ${name} with (force)`),
  };
}

async function query(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
