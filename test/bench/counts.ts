import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Client } from 'pg';

import type { Work } from './drive.js';
import { freePort } from './free-port.js';
import { trackStatements, withClient } from './postgres.js';
import type { Stops } from '../../src/stops.js';

/** What one request costs in things that can be counted. */
export interface Counts {
  readonly work: string;
  readonly clients: number;
  /** Statements that were sent, those that begin and end a transaction included. */
  readonly statements: number;
  /** Statements inside functions. */
  readonly nested: number;
  /** Writes to the socket of the store, as they arrive. */
  readonly flushes: number;
  readonly commits: number;
  /** Flushes of Postgres's log to disk; one serves all commits that wait for it. */
  readonly fsyncs: number;
  readonly walBytes: number;
}

/** Passes everything on to the store, and counts what comes from the client. */
export interface CountingProxy {
  readonly connectionString: string;
  readonly flushes: () => number;
}

export async function startCountingProxy(connectionString: string, stops: Stops): Promise<CountingProxy> {
  const url = new URL(connectionString);
  const target = Number(url.port);
  const port = await freePort();
  let flushes = 0;
  const server = createServer((socket) => {
    const upstream = connect(target, '127.0.0.1');
    socket.setNoDelay(true);
    upstream.setNoDelay(true);
    socket.on('data', () => (flushes += 1));
    socket.pipe(upstream).pipe(socket);
    for (const one of [socket, upstream]) one.on('error', () => undefined);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  stops.push(async () => {
    server.close();
    await once(server, 'close');
  });
  url.port = String(port);
  return { connectionString: url.href, flushes: () => flushes };
}

const warmUp = 64;

/** Counts what some requests of each kind of work cost. The store must have no other callers. */
export async function count(
  works: readonly Work[],
  clients: number,
  requests: number,
  direct: string,
  { flushes }: CountingProxy,
): Promise<Counts[]> {
  return withClient(direct, async (client) => {
    const all: Counts[] = [];
    await trackStatements(client, 'all');
    for (const work of works) {
      const before = await settled(client);
      await repeat(work, clients, warmUp);
      await client.query('select pg_stat_statements_reset()');
      const flushesBefore = flushes();
      await repeat(work, clients, requests);
      const flushed = flushes() - flushesBefore;
      const statements = await statementsOf(client);
      const after = await settled(client);
      const perRequest = (key: keyof Totals) => (after[key] - before[key]) / (requests + warmUp);
      all.push({
        work: work.name,
        clients,
        statements: statements.sent / requests,
        nested: statements.nested / requests,
        flushes: flushed / requests,
        commits: perRequest('commits'),
        fsyncs: perRequest('fsyncs'),
        walBytes: perRequest('walBytes'),
      });
    }
    await trackStatements(client, 'none');
    return all;
  });
}

async function repeat(work: Work, clients: number, requests: number): Promise<void> {
  let left = requests;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (left > 0) {
        left -= 1;
        await work.run();
      }
    }),
  );
}

interface Totals {
  readonly commits: number;
  readonly fsyncs: number;
  readonly walBytes: number;
}

/** A connection tells what it has done when it ends: all others are ended, and their pools make new ones. */
async function settled(client: Client): Promise<Totals> {
  await client.query(`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`);
  await sleep(200);
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<Totals>(`
    select
      (select sum(xact_commit) from pg_stat_database)::float as commits,
      (select wal_sync from pg_stat_wal)::float as fsyncs,
      (select wal_bytes from pg_stat_wal)::float as "walBytes"`);
  const [totals] = rows;
  if (!totals) throw new Error('Postgres has told no totals');
  return totals;
}

async function statementsOf(client: Client): Promise<{ sent: number; nested: number }> {
  const { rows } = await client.query<{ sent: number; nested: number }>(`
    select
      coalesce(sum(calls) filter (where toplevel), 0)::float as sent,
      coalesce(sum(calls) filter (where not toplevel), 0)::float as nested
    from pg_stat_statements where query not like '%pg_stat_%'`);
  return rows[0] ?? { sent: NaN, nested: NaN };
}
