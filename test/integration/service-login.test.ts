import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config.js';
import { createLogger } from '../../src/observability/logger.js';
import { start, type RunningGate } from '../../src/start-gate.js';
import { Database } from '../../src/store/database.js';
import { knownSchemaVersion, migrate } from '../../src/store/migrate.js';
import { createEmptyDatabase, createTestDatabase, query, type TestDatabase } from '../support/database.js';
import { edited } from '../support/edit-json.js';
import { validRequests } from '../support/parse-requests.js';
import { eventually } from '../support/trace-pages.js';

const cleanUps: (() => Promise<unknown>)[] = [];
let store: TestDatabase;

beforeEach(async () => {
  store = await createTestDatabase();
  cleanUps.push(() => store.drop());
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

it.each(['inherit true', 'inherit false'])(
  'runs the gate as a login role that is only a member of the service role, with %s',
  async (inheritance) => {
    const login = await createLogin(store, `grant continuity_gate_service to $role with ${inheritance}`);
    const gate = await startGate(login);

    expect(await ask(gate, '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
    expect(await ask(gate, '/envelopes', sealRequest)).toMatchObject({ status: 201 });
    const resumed = await ask(gate, '/rehydrate', rehydrateRequest);
    expect(resumed.body).toMatchObject({ status: 'reauthorization_required', session_epoch: 1 });
    const replayed = await ask(
      gate,
      `/decisions/${String(resumed.body['decision_id'])}?tenant_id=tenant-north`,
    );
    expect(replayed.body).toMatchObject({ replayed: { same: true } });
    await eventually(async () => {
      const trace = await ask(gate, '/trace-events?tenant_id=tenant-north');
      expect(trace.body).toMatchObject({
        events: [{ event_type: 'context_compaction' }, { event_type: 'context_rehydration' }],
      });
    });
  },
);

it('logs in with the password of the file that PGPASSFILE names', async () => {
  const login = new URL(await createLogin(store, 'grant continuity_gate_service to $role'));
  const directory = await mkdtemp(join(tmpdir(), 'continuity-gate-login-'));
  cleanUps.push(() => rm(directory, { recursive: true }));
  const file = join(directory, 'pgpass');
  await writeFile(file, `*:*:*:${login.username}:${login.password}\n`, { mode: 0o600 });
  vi.stubEnv('PGPASSFILE', file);
  cleanUps.push(() => Promise.resolve(vi.unstubAllEnvs()));
  login.password = '';

  await migrate(login.href);
  expect(await openDatabase(login.href).schemaVersion()).toMatchObject({
    version: await knownSchemaVersion(),
  });
});

it('makes the trace partitions of the coming months as a role that may not make tables', async () => {
  const login = await createLogin(store, 'grant continuity_gate_service to $role');
  const database = openDatabase(login);

  await database.ensureTracePartitions(14);

  expect(await query(store.connectionString, partitionCount)).toEqual([{ count: '15' }]);
  await expect(query(login, 'create table extra ()')).rejects.toThrow('permission denied for schema public');
});

it('tells a role that may not migrate that migrations are pending, and changes nothing', async () => {
  await query(store.connectionString, 'delete from schema_versions where version > 0');
  const login = await createLogin(store, 'grant continuity_gate_service to $role');

  await expect(migrate(login)).rejects.toMatchObject({
    code: 'pending_migrations',
    message:
      `The database is at schema version 0, this program needs ${await knownSchemaVersion()}, and the role ` +
      `"${roleOf(login)}" may not migrate it: run \`continuity-gate migrate\` as the owner.`,
  });

  expect(await query(store.connectionString, 'select version from schema_versions')).toEqual([
    { version: '0' },
  ]);
});

it('says the same of a database in which nothing is made yet', async () => {
  const empty = await createEmptyDatabase();
  cleanUps.push(() => empty.drop());
  const login = await createLogin(empty, 'grant continuity_gate_service to $role');

  await expect(migrate(login)).rejects.toMatchObject({ code: 'pending_migrations' });

  expect(await query(empty.connectionString, "select to_regclass('schema_versions') as made")).toEqual([
    { made: null },
  ]);
});

it('refuses a newer database and an edited migration as the service, too', async () => {
  const login = await createLogin(store, 'grant continuity_gate_service to $role');

  await query(store.connectionString, "update schema_versions set md5 = 'edited' where version = 1");
  await expect(migrate(login)).rejects.toThrow('MD5 checksum failed for migration [1]');
  await query(
    store.connectionString,
    'insert into schema_versions (version, oldest_program) values (9999, 9999)',
  );
  await expect(migrate(login)).rejects.toMatchObject({ code: 'newer_schema' });
});

it('names the missing membership when the login role is no service role', async () => {
  const login = await createLogin(store);

  await expect(migrate(login)).rejects.toMatchObject({
    code: 'not_a_service_role',
    message:
      `The role "${roleOf(login)}" is not a member of continuity_gate_service: ` +
      `run \`grant continuity_gate_service to "${roleOf(login)}"\` as the owner.`,
  });
});

it('migrates as an owner that is no superuser and may not create roles', async () => {
  const empty = await createEmptyDatabase();
  cleanUps.push(() => empty.drop());
  const owner = await createLogin(empty);
  const name = new URL(empty.connectionString).pathname.slice(1);
  await query(empty.connectionString, `alter database ${name} owner to ${roleOf(owner)}`);
  const login = await createLogin(empty, 'grant continuity_gate_service to $role');

  await migrate(owner);

  expect(await ask(await startGate(login), '/readyz')).toMatchObject({ status: 200 });
});

const inAnHour = new Date(Date.now() + 3_600_000).toISOString();

const sealRequest = edited(validRequests.seal, {
  set: { '/continuity_envelope/approval_expires_at': inAnHour },
  remove: ['/session_epoch', '/released'],
}) as object;

const rehydrateRequest = edited(validRequests.rehydrate, { remove: ['/session_epoch'] }) as object;

const partitionCount = `select count(*) from pg_inherits where inhparent = 'trace_events'::regclass`;

/** The connection string of a new login role with the given grants and no other right. */
async function createLogin({ connectionString }: TestDatabase, ...grants: string[]): Promise<string> {
  const role = `login_${randomUUID().replaceAll('-', '')}`;
  await query(connectionString, `create role ${role} login password 'secret'`);
  cleanUps.push(() =>
    query(
      connectionString,
      `reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`,
    ),
  );
  for (const grant of grants) await query(connectionString, grant.replace('$role', role));
  const url = new URL(connectionString);
  url.username = role;
  url.password = 'secret';
  return url.href;
}

function roleOf(connectionString: string): string {
  return new URL(connectionString).username;
}

function openDatabase(connectionString: string): Database {
  const database = new Database({ connectionString });
  cleanUps.push(() => database.close());
  return database;
}

/** The gate as `npm start` starts it, with that login, which may only check the migrations. */
async function startGate(connectionString: string): Promise<RunningGate> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'continuity-gate-login-'));
  cleanUps.push(() => rm(dataDirectory, { recursive: true }));
  const settings = { DATABASE_URL: connectionString, PORT: '0', CONTINUITY_DATA_DIR: dataDirectory };
  const gate = await start(readConfig(settings), { logger: createLogger('silent') });
  cleanUps.push(() => gate.stop());
  return gate;
}

async function ask({ url }: RunningGate, path: string, body?: object) {
  const response = await fetch(`${url}${path}`, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
