import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestsOf } from '../../support/requests.js';
import { connectAsService, type ServiceRole } from '../../support/service-role.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const ours = requestsOf('ours');
const theirs = requestsOf('theirs');

const insufficientPrivilege = { code: '42501' };
const evidence = ['trace_events', 'envelopes', 'decisions'] as const;

let gate: TestApp;
let service: ServiceRole;
let partition: string;

beforeAll(async () => {
  gate = await createTestApp();
  service = await connectAsService(gate.connectionString);
  for (const run of [ours, theirs]) {
    expect((await gate.seal(run.sealRequest())).status).toBe(201);
    const key = { 'idempotency-key': 'resume-1' };
    expect((await gate.rehydrate(run.rehydrateRequest(), key)).status).toBe(200);
    await gate.query('insert into tenant_heads (tenant_id) values ($1)', [run.tenant_id]);
  }
  const [newest] = await gate.query<{ partition: string }>(
    'select tableoid::regclass::text as partition from trace_events limit 1',
  );
  partition = newest?.partition ?? '';
});

afterAll(async () => {
  await service.close();
  await gate.close();
});

it('owns nothing', async () => {
  expect(
    await gate.query(
      `select pg_describe_object(classid, objid, objsubid) as owned
         from pg_shdepend join pg_database on pg_database.oid = dbid
        where refobjid = 'continuity_gate_service'::regrole and deptype = 'o' and datname = current_database()`,
    ),
  ).toEqual([]);
});

it('is neither a superuser nor above row-level security, and may not log in', async () => {
  expect(
    await gate.query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication
         from pg_roles where rolname = 'continuity_gate_service'`,
    ),
  ).toEqual([
    {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolcanlogin: false,
      rolreplication: false,
    },
  ]);
});

describe.each(evidence)('may not tamper with %s:', (table) => {
  it.each([
    `update ${table} set tenant_id = tenant_id`,
    `delete from ${table}`,
    `truncate ${table}`,
    `drop table ${table}`,
    `alter table ${table} disable trigger all`,
    `alter table ${table} disable row level security`,
    `alter table ${table} add column more text`,
    `alter table ${table} owner to continuity_gate_service`,
    `create policy all_tenants on ${table} using (true)`,
    `drop policy tenant on ${table}`,
    `drop trigger ${table}_no_change on ${table}`,
    `create index on ${table} (tenant_id)`,
    `lock table ${table} in access exclusive mode`,
  ])('%s', async (sql) => {
    await expect(service.queryFor(ours.tenant_id, sql)).rejects.toMatchObject(insufficientPrivilege);
  });

  it('by a trigger of its own', async () => {
    const sql = `create trigger own before insert on ${table} for each row execute function refuse_change()`;

    await expect(service.queryFor(ours.tenant_id, sql)).rejects.toMatchObject(insufficientPrivilege);
  });
});

it.each([
  'create table extra ()',
  'create view extra as select 1',
  'create function extra() returns integer language sql as $$ select 1 $$',
  'create schema extra',
  'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
  'create or replace function current_tenant() returns text language sql as $$ select tenant_id from envelopes $$',
  'update schema_versions set version = 0',
])('may not make or change what is not its own: %s', async (sql) => {
  await expect(service.queryFor(ours.tenant_id, sql)).rejects.toMatchObject(insufficientPrivilege);
});

it.each(['select from', 'delete from', 'truncate', 'drop table'])(
  'may not go past the trace to a partition of it: %s',
  async (verb) => {
    await expect(service.queryFor(ours.tenant_id, `${verb} ${partition}`)).rejects.toMatchObject(
      insufficientPrivilege,
    );
  },
);

it('makes no more partitions than ten years ahead', async () => {
  await expect(service.query('select ensure_trace_partitions(121)')).rejects.toMatchObject({ code: '22023' });
});

it('is held to one tenant in every table that has one', async () => {
  expect(
    await gate.query(
      `select pg_class.oid::regclass::text as unprotected
         from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'tenant_id'
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
          and not relrowsecurity`,
    ),
  ).toEqual([]);
});

describe('with no filter in the statement at all', () => {
  const tables = [
    'session_heads',
    'tenant_heads',
    'envelopes',
    'approval_bindings',
    'decisions',
    'idempotency_keys',
    'trace_events',
  ];

  it.each(tables)('sees nothing of %s until it names a tenant', async (table) => {
    expect(await service.query(`select * from ${table}`)).toEqual([]);
    expect(await service.queryFor('', `select * from ${table}`)).toEqual([]);
  });

  it.each(tables)('sees of %s what belongs to its tenant and nothing else', async (table) => {
    const rows = await service.queryFor(ours.tenant_id, `select distinct tenant_id from ${table}`);

    expect(rows).toEqual([{ tenant_id: ours.tenant_id }]);
    expect(await gate.query(`select distinct tenant_id from ${table}`)).toHaveLength(2);
  });

  it.each(['session_heads', 'tenant_heads', 'idempotency_keys'])(
    'changes in %s nothing of another tenant',
    async (table) => {
      const changed = await service.queryFor(
        ours.tenant_id,
        `update ${table} set tenant_id = tenant_id where tenant_id = '${theirs.tenant_id}' returning tenant_id`,
      );

      expect(changed).toEqual([]);
    },
  );

  it.each(['session_heads', 'tenant_heads', 'idempotency_keys'])(
    'moves no row of %s to another tenant',
    async (table) => {
      await expect(
        service.queryFor(ours.tenant_id, `update ${table} set tenant_id = '${theirs.tenant_id}'`),
      ).rejects.toMatchObject(insufficientPrivilege);
    },
  );

  it.each(['envelopes', 'decisions', 'approval_bindings', 'trace_events'])(
    'writes no row of %s for another tenant',
    async (table) => {
      const columns = await gate.query<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = '${table}'::regclass and attnum > 0 and attname <> 'tenant_id' and attidentity = ''`,
      );
      const others = columns.map(({ name }) => name).join(', ');

      await expect(
        service.queryFor(
          ours.tenant_id,
          `insert into ${table} (tenant_id, ${others}) select '${theirs.tenant_id}', ${others} from ${table}`,
        ),
      ).rejects.toMatchObject(insufficientPrivilege);
    },
  );

  it('forgets no key of another tenant', async () => {
    await service.queryFor(ours.tenant_id, 'delete from idempotency_keys');

    expect(await gate.query('select tenant_id from idempotency_keys')).toEqual([
      { tenant_id: theirs.tenant_id },
    ]);
  });
});

it('names its tenant for one transaction only', async () => {
  await service.queryFor(ours.tenant_id, 'select 1');

  expect(await service.query('select * from envelopes')).toEqual([]);
});
