import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import { startEmbeddedPostgres } from '../../src/embedded-postgres/start.js';
import type { Stops } from '../../src/stops.js';
import { parentOf } from './usage.js';

/** The Postgres under the bench. */
export interface Server {
  /** Where everything that belongs to the run is kept. */
  readonly directory: string;
  readonly pid: number;
  /** The gate's own database. */
  readonly connectionString: string;
}

/** Starts a Postgres as the gate would, with its log to disk flushed at every commit. */
export async function startServer(stops: Stops): Promise<Server> {
  const directory = await mkdtemp(join(tmpdir(), 'continuity-gate-bench-'));
  stops.push(() => rm(directory, { recursive: true, force: true }));
  // As root, the account that Postgres runs under must be able to enter it.
  await chmod(directory, 0o711);
  const store = await startEmbeddedPostgres({
    dataDirectory: directory,
    settings: { shared_preload_libraries: 'pg_stat_statements' },
  });
  const { connectionString } = store;
  stops.push(() => store.stop());
  const pid = await withClient(connectionString, async (client) => {
    await client.query('create extension pg_stat_statements');
    await trackStatements(client, 'none');
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return parentOf(rows[0]?.pid ?? NaN);
  });
  return { directory, pid, connectionString };
}

/** Makes another database on the server. */
export async function addDatabase({ connectionString }: Server, name: string): Promise<string> {
  await withClient(connectionString, (client) => client.query(`create database ${name}`));
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return url.href;
}

export async function withClient<T>(
  connectionString: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Whether Postgres keeps count of statements; it does so only while nothing else is measured. */
export async function trackStatements(client: Client, which: 'all' | 'none'): Promise<void> {
  await client.query(`alter system set pg_stat_statements.track = '${which}'`);
  await client.query('select pg_reload_conf()');
  await sleep(200);
}
