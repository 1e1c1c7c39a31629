import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Database, type DatabaseOptions } from '../../../src/store/database.js';
import type { SqlTransaction } from '../../../src/store/sql.js';
import {
  KeyTooLongError,
  OverloadedError,
  RuleBrokenError,
  StoreUnavailableError,
} from '../../../src/app/store-errors.js';
import { createTestDatabase, query, type TestDatabase } from '../../support/database.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';

let store: TestDatabase;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  store = await createTestDatabase();
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

afterAll(() => store.drop());

describe('a transaction', () => {
  it('is seen by everyone once it has resolved, and not before', async () => {
    const database = open();

    await database.transactSql('commits', async (transaction) => {
      await makeHead(transaction, 'commits');
      expect(await headsOf('commits')).toEqual([]);
      return { result: undefined };
    });

    expect(await headsOf('commits')).toHaveLength(1);
  });

  it('waits for the disk before it resolves', async () => {
    const [setting] = await open().transactSql('t', async (transaction) => ({
      result: await ask<{ value: string }>(
        transaction,
        `select current_setting('synchronous_commit') as value`,
      ),
    }));

    expect(setting).toEqual({ value: 'on' });
  });

  it('sees what was committed while it waited for a lock, whatever the database is set to', async () => {
    await makeHeadAsOwner('isolation');
    const name = new URL(store.connectionString).pathname.slice(1);
    await query(
      store.connectionString,
      `alter database ${name} set default_transaction_isolation = serializable`,
    );
    cleanUps.push(() =>
      query(store.connectionString, `alter database ${name} reset default_transaction_isolation`),
    );
    const holder = await connect();
    await holder.query('begin isolation level read committed');
    await holder.query(`update session_heads set trace_sequence = 7 where tenant_id = 'isolation'`);
    let attempts = 0;

    const waiting = open().transactSql('isolation', async (transaction) => {
      attempts += 1;
      const [[head], [other]] = await Promise.all([
        ask(transaction, 'select trace_sequence from session_heads for update'),
        ask(transaction, 'select count(*)::integer as heads from tenant_heads'),
      ]);
      return { result: [head, other] };
    });
    await until(async () => (await waitingBackends()) === 1);
    await holder.query(`insert into tenant_heads (tenant_id) values ('isolation')`);
    await holder.query('commit');

    expect(await waiting).toEqual([{ trace_sequence: '7' }, { heads: 1 }]);
    expect(attempts).toBe(1);
  });

  it('works as the service role, and speaks for its tenant alone', async () => {
    const database = open({ maxConnections: 1 });
    const speaker = (tenant: string) =>
      database.transactSql(tenant, async (transaction) => ({
        result: await ask(transaction, 'select current_user as role, current_tenant() as tenant'),
      }));

    expect(await speaker('one')).toEqual([{ role: 'continuity_gate_service', tenant: 'one' }]);
    expect(await speaker('two')).toEqual([{ role: 'continuity_gate_service', tenant: 'two' }]);
  });

  it.each(['?options=-c%20work_mem%3D7MB', '?options=-c+work_mem=7MB&sslmode=disable'])(
    'works as the service role, too, if its connection string has %s',
    async (query) => {
      const url = new URL(store.connectionString);
      url.search = query;
      const database = open({ connectionString: url.href });

      const [session] = await database.transactSql('one', async (transaction) => ({
        result: await ask(transaction, "select current_user as role, current_setting('work_mem') as memory"),
      }));

      expect(session).toEqual({ role: 'continuity_gate_service', memory: '7MB' });
    },
  );

  it('passes an error of its work on as it is, and leaves nothing behind', async () => {
    const database = open({ maxConnections: 1 });
    const bug = new Error('a bug');

    const failed = database.transactSql('throws', async (transaction) => {
      await makeHead(transaction, 'throws');
      throw bug;
    });

    await expect(failed).rejects.toBe(bug);
    expect(await headsOf('throws')).toEqual([]);
    await expectUsable(database);
  });

  it('is rolled back whole when one of the writes that travel with its commit fails', async () => {
    const database = open({ maxConnections: 1 });

    const failed = database.transactSql('writes', (transaction) =>
      Promise.resolve({
        result: 'sealed',
        writes: [
          makeHead(transaction, 'writes'),
          ask(transaction, `insert into tenant_heads (tenant_id, trace_sequence) values ('writes', null)`),
          ask(transaction, `insert into tenant_heads (tenant_id) values ('writes')`),
        ],
      }),
    );

    await expect(failed).rejects.toMatchObject({ code: 'store_rule_broken', rule: '23502' });
    expect(await headsOf('writes')).toEqual([]);
    expect(
      await query(store.connectionString, `select from tenant_heads where tenant_id = 'writes'`),
    ).toEqual([]);
    await expectUsable(database);
  });

  it('says so when identifiers are too long together for a key', async () => {
    // Random, because a repeated character is compressed away.
    const longId = () => String.fromCodePoint(...Array.from({ length: 512 }, randomAstral));
    const [tenant, session] = [longId(), longId()];

    const failed = open().transactSql(tenant, (transaction) =>
      Promise.resolve({ result: undefined, writes: [makeHead(transaction, tenant, session)] }),
    );

    await expect(failed).rejects.toBeInstanceOf(KeyTooLongError);
  });
});

describe('a lost race', () => {
  it('is run again, and then sees what the winner did', async () => {
    const database = open();
    const winner = await connect();
    await winner.query('begin');
    await winner.query(`insert into tenant_heads (tenant_id, trace_sequence) values ('race', 7)`);
    const attempts: unknown[] = [];

    const loser = database.transactSql('race', async (transaction) => {
      const found = await ask(transaction, 'select trace_sequence from tenant_heads');
      attempts.push(found);
      const writes =
        found.length === 0 ? [ask(transaction, `insert into tenant_heads (tenant_id) values ('race')`)] : [];
      return { result: found, writes };
    });
    await until(async () => (await waitingBackends()) === 1);
    await winner.query('commit');

    expect(await loser).toEqual([{ trace_sequence: '7' }]);
    expect(attempts).toEqual([[], [{ trace_sequence: '7' }]]);
  });

  it.each([
    ['40001', StoreUnavailableError],
    ['40P01', StoreUnavailableError],
    ['23505', RuleBrokenError],
    ['23001', RuleBrokenError],
  ])(
    'is given up after four attempts, and a rule that refused each of them was no race: %s',
    async (sqlState, meaning) => {
      let attempts = 0;

      const failed = open().transactSql('race', async (transaction) => {
        attempts += 1;
        return { result: await ask(transaction, raise(sqlState)) };
      });

      await expect(failed).rejects.toBeInstanceOf(meaning);
      expect(attempts).toBe(4);
    },
  );

  it('is told from a broken rule, which is not run again', async () => {
    let attempts = 0;

    const failed = open().transactSql('rule', async (transaction) => {
      attempts += 1;
      return { result: await ask(transaction, raise('23514')) };
    });

    await expect(failed).rejects.toMatchObject({ code: 'store_rule_broken', rule: '23514' });
    expect(attempts).toBe(1);
  });
});

describe('a store that is slow', () => {
  it('is given up when a lock is not to be had in time', async () => {
    await makeHeadAsOwner('locked');
    const holder = await connect();
    await holder.query('begin');
    await holder.query(`select from session_heads where tenant_id = 'locked' for update`);
    const database = open({ maxConnections: 1, lockTimeoutMs: 100 });

    await expect(lockHead(database, 'locked')).rejects.toBeInstanceOf(StoreUnavailableError);

    await holder.query('rollback');
    expect(await lockHead(database, 'locked')).toHaveLength(1);
  });

  it('is given up when a statement takes too long', async () => {
    const database = open({ maxConnections: 1, statementTimeoutMs: 1_000 });

    await expect(sleepInStore(database, 30)).rejects.toBeInstanceOf(StoreUnavailableError);

    await expectUsable(database);
  });

  it('turns requests away at once when too many wait already', async () => {
    const database = open({ maxConnections: 1, maxWaiting: 1 });
    const busy = sleepInStore(database, 1);
    const waiting = sleepInStore(database, 0);

    await expect(sleepInStore(database, 0)).rejects.toBeInstanceOf(OverloadedError);

    await Promise.all([busy, waiting]);
  });

  it('is given up when no connection becomes free in time', async () => {
    const database = open({ maxConnections: 1, connectTimeoutMs: 1_000 });
    const busy = sleepInStore(database, 2);

    await expect(sleepInStore(database, 0)).rejects.toBeInstanceOf(StoreUnavailableError);

    await busy;
  });
});

describe('a store that goes away', () => {
  it('in the middle of a transaction is told, and the next transaction has a new connection', async () => {
    const database = open({ maxConnections: 1 });
    let attempts = 0;

    const lost = database.transactSql('lost', async (transaction) => {
      attempts += 1;
      await makeHead(transaction, 'lost');
      const [backend] = await ask<{ pid: number }>(transaction, 'select pg_backend_pid() as pid');
      await terminate(backend?.pid);
      return { result: undefined };
    });

    await expect(lost).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(attempts).toBe(1);
    expect(await headsOf('lost')).toEqual([]);
    await expectUsable(database);
  });

  it('between two transactions is noticed, and nobody else is troubled', async () => {
    const broken: Error[] = [];
    const database = open({ maxConnections: 1, onConnectionError: (error) => broken.push(error) });
    const [backend] = await database.transactSql('t', async (transaction) => ({
      result: await ask<{ pid: number }>(transaction, 'select pg_backend_pid() as pid'),
    }));

    await terminate(backend?.pid);
    await until(() => Promise.resolve(broken.length > 0));

    await expectUsable(database);
  });

  it('is told fast when nothing listens', async () => {
    const database = open({ connectionString: at(await freePort()) });

    await expectFastFailure(() => sleepInStore(database, 0), 2_000);
    await expectFastFailure(() => database.schemaVersion(), 2_000);
  });

  it('is told in time when something listens and never answers', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    cleanUps.push(() => Promise.resolve(silent.close()));
    const { port } = silent.address() as AddressInfo;
    const database = open({ connectionString: at(port), connectTimeoutMs: 200 });

    await expectFastFailure(() => sleepInStore(database, 0), 3_000);
  });

  it('without a word is told in time, and is found again when it is back', async () => {
    const proxy = await startTcpProxy(store.connectionString);
    cleanUps.push(() => proxy.close());
    const database = open({
      connectionString: proxy.connectionString,
      maxConnections: 2,
      connectTimeoutMs: 1_000,
      statementTimeoutMs: 1_000,
    });
    await Promise.all([sleepInStore(database, 0), sleepInStore(database, 0)]);
    proxy.freeze();

    // A statement's time-out and a second of the driver's; a roll-back must not be waited for on top.
    await Promise.all([
      expectFastFailure(() => sleepInStore(database, 0), 3_500),
      expectFastFailure(() => database.schemaVersion(), 3_500),
    ]);
    await expectFastFailure(() => sleepInStore(database, 0), 3_500);

    await proxy.restore();
    await expectUsable(database);
  });
});

function open(options: Partial<DatabaseOptions> = {}): Database {
  const database = new Database({ connectionString: store.connectionString, ...options });
  cleanUps.push(() => database.close());
  return database;
}

/** Another session, as the owner. */
async function connect(): Promise<Client> {
  const client = new Client({ connectionString: store.connectionString });
  await client.connect();
  cleanUps.push(() => client.end());
  return client;
}

let statements = 0;

function ask<Row extends Record<string, unknown>>(transaction: SqlTransaction, text: string): Promise<Row[]> {
  statements += 1;
  return transaction.query<Row>({ name: `test_${statements}`, text, values: [] });
}

function makeHead(transaction: SqlTransaction, tenantId: string, sessionId = 'session'): Promise<unknown> {
  return transaction.query({
    name: 'make_head',
    text: 'insert into session_heads (tenant_id, session_id) values ($1, $2)',
    values: [tenantId, sessionId],
  });
}

async function makeHeadAsOwner(tenantId: string): Promise<void> {
  await query(
    store.connectionString,
    `insert into session_heads (tenant_id, session_id) values ('${tenantId}', 's')`,
  );
}

function headsOf(tenantId: string): Promise<unknown[]> {
  return query(store.connectionString, `select from session_heads where tenant_id = '${tenantId}'`);
}

function lockHead(database: Database, tenantId: string): Promise<unknown[]> {
  return database.transactSql(tenantId, async (transaction) => ({
    result: await ask(transaction, 'select session_id from session_heads for update'),
  }));
}

function sleepInStore(database: Database, seconds: number): Promise<unknown[]> {
  return database.transactSql('t', async (transaction) => ({
    result: await ask(transaction, `select pg_sleep(${seconds})`),
  }));
}

async function expectUsable(database: Database): Promise<void> {
  expect(await sleepInStore(database, 0)).toHaveLength(1);
}

async function expectFastFailure(work: () => Promise<unknown>, withinMs: number): Promise<void> {
  const start = performance.now();
  await expect(work()).rejects.toBeInstanceOf(StoreUnavailableError);
  expect(performance.now() - start).toBeLessThan(withinMs);
}

function raise(sqlState: string): string {
  return `do $$ begin raise sqlstate '${sqlState}'; end $$`;
}

async function terminate(pid: number | undefined): Promise<void> {
  await query(store.connectionString, `select pg_terminate_backend(${String(pid)}, 5000)`);
}

async function waitingBackends(): Promise<number> {
  return (
    await query(
      store.connectionString,
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  await expect.poll(condition, { timeout: 10_000, interval: 10 }).toBe(true);
}

function at(port: number): string {
  const url = new URL(store.connectionString);
  url.port = String(port);
  return url.href;
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function randomAstral(): number {
  return 0x2_0000 + Math.floor(Math.random() * 0xa000);
}
