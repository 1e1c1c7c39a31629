import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { edited } from '../../support/edit-json.js';
import { constraintText } from '../../support/records.js';
import { requestsOf } from '../../support/requests.js';
import { connectAs, type DatabaseRole } from '../../support/service-role.js';
import { createTestApp } from '../../support/test-app.js';
import { populate } from './route-calls.js';

/**
 * What the service may do, table by table. It owns nothing, so that it can neither alter nor drop anything; what is
 * evidence it can only add to.
 */
const serviceGrants: Readonly<Record<string, string>> = {
  schema_migrations: 'select',
  schema_versions: 'select',
  status_transitions: 'select',
  store_incarnations: 'select',
  session_heads: 'insert select update',
  tenant_heads: 'insert select update',
  envelopes: 'insert select',
  approval_actions: 'insert select',
  approval_bindings: 'insert select',
  decisions: 'insert select',
  trace_events: 'select',
  trace_anchors: 'select',
  session_events: 'insert select',
  reconciliations: 'insert select',
  policies: 'insert select update',
  capabilities: 'insert select update',
  principals: 'insert select update',
  sessions: 'insert select update',
  obligations: 'insert select update',
  constraints: 'insert select update',
  approvals: 'insert select update',
  side_effects: 'insert select update',
  // Kept for a day, and then forgotten.
  idempotency_keys: 'delete insert select update',
  living_gates: 'delete insert select update',
};

/** Columns that the service may write where it may not write the whole row: the order of the trace is the database's. */
const serviceColumnGrants = [
  {
    table: 'approval_bindings',
    verb: 'update',
    allBut: ['approval_id', 'session_id', 'tenant_id'],
  },
  {
    table: 'trace_events',
    verb: 'insert',
    allBut: ['position', 'transaction_id'],
  },
];

/** What people with SQL may read, of every tenant. They write nothing. */
const readerTables = [
  'schema_migrations',
  'schema_versions',
  'status_transitions',
  'store_incarnations',
  'session_heads',
  'tenant_heads',
  'approval_actions',
  'approval_bindings',
  'decisions',
  'trace_events',
  'trace_anchors',
  'session_events',
  'reconciliations',
  'policies',
  'capabilities',
  'principals',
  'living_gates',
  'obligations',
  'approvals',
  'side_effects',
];

/** What they may not read of the rest: free text, and the keys of clients' requests. */
const hiddenFromReader = [
  'constraints.text',
  'envelopes.envelope',
  'sessions.objective',
  'idempotency_keys.tenant_id',
  'idempotency_keys.idempotency_key',
  'idempotency_keys.request_sha256',
  'idempotency_keys.decision_id',
  'idempotency_keys.created_at',
];

const insufficientPrivilege = { code: '42501' };
const ours = requestsOf('ours');
const theirs = requestsOf('theirs');

const gate = await createTestApp();
/** Every table with a tenant, whoever added it; partitions are their parent's. */
const tenantTables = (
  await gate.query<{ name: string }>(
    `select relname as name
     from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'tenant_id'
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
     order by 1`,
  )
).map(({ name }) => name);
const partitions = (
  await gate.query<{ name: string }>(
    `select relname as name from pg_class where relispartition and relkind = 'r'`,
  )
).map(({ name }) => name);

let service: DatabaseRole;
let reader: DatabaseRole;

beforeAll(async () => {
  service = await connectAs('continuity_gate_service', gate.connectionString);
  reader = await connectAs('continuity_gate_reader', gate.connectionString);
  for (const run of [ours, theirs]) {
    const { ids } = await populate(gate, run);
    const key = { 'idempotency-key': 'resume-1' };
    expect((await gate.rehydrate({ ...run.rehydrateRequest(), current_state: undefined }, key)).status).toBe(
      200,
    );
    await gate.query(
      `insert into trace_anchors (tenant_id, session_id, sequence, event_sha256) values ($1, $2, 1, 'anchor')`,
      [run.tenant_id, ids['session_id']],
    );
  }
});

afterAll(async () => {
  await service.close();
  await reader.close();
  await gate.close();
});

it('every table with a tenant is known here, and filled for two', async () => {
  expect(tenantTables.length).toBeGreaterThan(15);
  for (const table of tenantTables) {
    expect([table, await gate.query(`select distinct tenant_id from ${table} order by 1`)]).toEqual([
      table,
      [{ tenant_id: ours.tenant_id }, { tenant_id: theirs.tenant_id }],
    ]);
  }
});

describe.each(tenantTables)('row-level security of %s', (table) => {
  const columns = async () =>
    (
      await gate.query<{ name: string }>(
        `select attname as name from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> 'tenant_id'
           and attidentity = '' and attgenerated = '' and attname <> all ($2)`,
        [table, serviceColumnGrants.flatMap((grant) => (grant.table === table ? grant.allBut : []))],
      )
    )
      .map(({ name }) => name)
      .join(', ');
  const may = (verb: string) =>
    serviceGrants[table]?.split(' ').includes(verb) === true ||
    serviceColumnGrants.some((grant) => grant.table === table && grant.verb === verb);

  it('is on, and holds the service to its tenant', async () => {
    const rows = await gate.query(
      `select relrowsecurity, polname, polpermissive, polcmd, polroles::regrole[]::text as roles,
              pg_get_expr(polqual, polrelid) as visible, pg_get_expr(polwithcheck, polrelid) as writable
       from pg_class left join pg_policy on polrelid = pg_class.oid
       where pg_class.oid = $1::regclass and 'continuity_gate_service'::regrole = any (polroles)`,
      [table],
    );

    expect(rows).toEqual([
      {
        relrowsecurity: true,
        polname: 'tenant',
        polpermissive: true,
        polcmd: '*',
        roles: '{continuity_gate_service}',
        visible: '(tenant_id = current_tenant())',
        writable: '(tenant_id = current_tenant())',
      },
    ]);
  });

  it('shows nothing to whoever names no tenant', async () => {
    expect(await service.query(`select * from ${table}`)).toEqual([]);
    expect(await service.queryFor('', `select * from ${table}`)).toEqual([]);
    expect(await service.queryFor('%', `select * from ${table}`)).toEqual([]);
  });

  it('shows one tenant and no other, with no filter in the statement', async () => {
    for (const { tenant_id } of [ours, theirs]) {
      expect(await service.queryFor(tenant_id, `select distinct tenant_id from ${table}`)).toEqual([
        { tenant_id },
      ]);
    }
    expect(
      await service.queryFor(
        ours.tenant_id,
        `select * from ${table} where tenant_id = '${theirs.tenant_id}'`,
      ),
    ).toEqual([]);
  });

  it('lets nobody write a row of another tenant', async () => {
    const others = await columns();
    const insert = `insert into ${table} (tenant_id, ${others}) select '${theirs.tenant_id}', ${others} from ${table}`;

    await expect(service.queryFor(ours.tenant_id, insert)).rejects.toMatchObject({
      ...insufficientPrivilege,
      message: expect.stringContaining(may('insert') ? 'row-level security' : 'permission denied') as string,
    });
  });

  if (may('update'))
    it('changes nothing of another tenant, and moves nothing to it', async () => {
      const column = table === 'approval_bindings' ? 'envelope_id' : 'tenant_id';
      const touched = await service.queryFor(
        ours.tenant_id,
        `update ${table} set ${column} = ${column} where tenant_id = '${theirs.tenant_id}' returning 1`,
      );
      const move = service.queryFor(ours.tenant_id, `update ${table} set tenant_id = '${theirs.tenant_id}'`);

      expect(touched).toEqual([]);
      // A guard of records may be first to refuse it.
      await expect(move).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:42501|23001)$/) as string,
      });
    });

  if (may('delete'))
    it('deletes nothing of another tenant', async () => {
      const kept = `select count(*) from ${table} where tenant_id = '${theirs.tenant_id}'`;
      const before = await gate.query(kept);

      await service.queryFor(ours.tenant_id, `delete from ${table} where tenant_id = '${theirs.tenant_id}'`);
      await service.queryFor(theirs.tenant_id, `delete from ${table} where tenant_id = '${ours.tenant_id}'`);

      expect(await gate.query(kept)).toEqual(before);
    });
});

describe('the service', () => {
  it('may do this, and nothing else', async () => {
    expect(await grantsTo('continuity_gate_service')).toEqual(serviceGrants);
    expect(await columnGrantsTo('continuity_gate_service')).toEqual(serviceColumnGrants);
  });

  it.each(Object.entries(serviceGrants))('gets no further in %s than to %s', async (table, verbs) => {
    const [column] = await gate.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum = 1`,
      [table],
    );
    const name = column?.name ?? '';
    const refused = [
      ...(verbs.includes('update') ? [] : [`update ${table} set ${name} = ${name}`]),
      ...(verbs.includes('delete') ? [] : [`delete from ${table}`]),
      `truncate ${table}`,
      `drop table ${table}`,
      `alter table ${table} disable row level security`,
      `alter table ${table} disable trigger user`,
      `alter table ${table} add column more text`,
      `alter table ${table} owner to continuity_gate_service`,
      `create policy everything on ${table} using (true)`,
      `create trigger own before insert on ${table} for each row execute function refuse_change()`,
      `create rule own as on insert to ${table} do instead nothing`,
    ];
    for (const sql of refused) {
      await expect(service.queryFor(ours.tenant_id, sql), sql).rejects.toMatchObject(insufficientPrivilege);
    }
  });

  it('may look at no view that sees past its tenant', async () => {
    const views = await gate.query(
      `select relname from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
         and not coalesce(reloptions @> '{security_invoker=true}', false)
         and has_table_privilege('continuity_gate_service', oid, 'select')`,
    );

    expect(views).toEqual([]);
  });

  it('runs these functions as their owner, and they look up nothing in its own schemas', async () => {
    const functions = await gate.query<{ name: string; settings: string }>(
      `select proname as name, array_to_string(proconfig, ',') as settings from pg_proc
       where pronamespace = 'public'::regnamespace and prosecdef
         and has_function_privilege('continuity_gate_service', oid, 'execute') order by 1`,
    );

    expect(functions.map(({ name }) => name)).toEqual(['ensure_trace_partitions', 'unresolved_effects']);
    for (const { settings } of functions) expect(settings).toMatch(/^search_path=pg_catalog,.* pg_temp$/);
  });

  it('may not become another role', async () => {
    for (const role of ['continuity_gate_reader', 'pg_read_all_data', 'pg_write_all_data']) {
      const member = `select pg_has_role('continuity_gate_service', '${role}', 'member') as member`;
      expect([role, await gate.query(member)]).toEqual([role, [{ member: false }]]);
    }
  });
});

it.each(partitions)('the partition %s is closed to everyone but its owner', async (partition) => {
  for (const role of [service, reader]) {
    for (const sql of [
      `select from ${partition}`,
      `insert into ${partition} (tenant_id) values ('${ours.tenant_id}')`,
      `update ${partition} set actor = actor`,
      `delete from ${partition}`,
      `truncate ${partition}`,
      `drop table ${partition}`,
    ]) {
      await expect(role.queryFor(ours.tenant_id, sql), sql).rejects.toMatchObject(insufficientPrivilege);
    }
  }
});

describe('people with SQL', () => {
  it('may read this of every tenant, and nothing else', async () => {
    const views = await gate.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'`,
    );
    const readable = [...readerTables, ...views.map(({ name }) => name)].map((name) => [name, 'select']);

    expect(await grantsTo('continuity_gate_reader')).toEqual(Object.fromEntries(readable));
    expect(await hiddenFrom('continuity_gate_reader')).toEqual(hiddenFromReader.toSorted());
  });

  it.each(tenantTables.filter((table) => table !== 'idempotency_keys'))(
    'see the rows of %s of every tenant, whichever they name',
    async (table) => {
      const both = [{ tenant_id: ours.tenant_id }, { tenant_id: theirs.tenant_id }];

      expect(await reader.query(`select distinct tenant_id from ${table} order by 1`)).toEqual(both);
      expect(
        await reader.queryFor(ours.tenant_id, `select distinct tenant_id from ${table} order by 1`),
      ).toEqual(both);
    },
  );

  it('find no free text in anything that they may read', async () => {
    const columns = await gate.query<{ place: string; sql: string }>(
      `select relname || '.' || attname as place, format('select %I::text as value from %I', attname, relname) as sql
       from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
         and has_column_privilege('continuity_gate_reader', pg_class.oid, attnum, 'select')`,
    );
    const objective = JSON.stringify(ours.envelope().objective).slice(1, -1);
    const constraint = JSON.stringify(constraintText).slice(1, -1);
    const leaks = [];
    for (const { place, sql } of columns) {
      const values = (await reader.query<{ value: string | null }>(sql)).map(({ value }) => value ?? '');
      if (values.some((value) => /Resolve the support|Never close a ticket/.test(value))) leaks.push(place);
    }

    expect(columns.length).toBeGreaterThan(100);
    expect(objective).toContain('Resolve the support');
    expect(constraint).toContain('Never close a ticket');
    expect(leaks).toEqual([]);
  });

  it('see envelopes as they were sealed, but for the objective', async () => {
    const rest = edited(ours.envelope(), { remove: ['/objective'] });

    expect(
      await reader.query(
        `select envelope from sealed_envelopes where tenant_id = '${ours.tenant_id}' and envelope_id = '${ours.envelope_id}'`,
      ),
    ).toEqual([{ envelope: rest }]);
  });

  it.each([
    'select text from constraints',
    'select * from constraints',
    'select to_json(constraints) from constraints',
    'select objective from sessions',
    'select * from sessions',
    'select envelope from envelopes',
    "select envelope ->> 'objective' from envelopes",
    'select * from idempotency_keys',
  ])('may not: %s', async (sql) => {
    await expect(reader.query(sql)).rejects.toMatchObject(insufficientPrivilege);
  });

  it.each([...tenantTables, 'status_transitions', 'schema_versions', 'sealed_envelopes'])(
    'write nothing to %s',
    async (table) => {
      for (const sql of [
        `insert into ${table} default values`,
        `delete from ${table}`,
        `truncate ${table}`,
      ]) {
        await expect(reader.query(sql), sql).rejects.toMatchObject({
          code: expect.stringMatching(/^(?:42501|42809)$/) as string,
        });
      }
    },
  );

  it('make nothing of their own, and run nothing that changes the store', async () => {
    for (const sql of [
      'create table extra ()',
      'select ensure_trace_partitions(1)',
      'select drop_trace_partitions(now())',
    ]) {
      await expect(reader.query(sql), sql).rejects.toMatchObject(insufficientPrivilege);
    }
  });
});

it('nothing is granted to everyone', async () => {
  const tables = await gate.query(
    `select relname from pg_class, aclexplode(relacl) where relnamespace = 'public'::regnamespace and grantee = 0`,
  );
  const schema = await gate.query(`select has_schema_privilege('public', 'public', 'create') as open`);

  expect(tables).toEqual([]);
  expect(schema).toEqual([{ open: false }]);
});

/** The privileges of a role on tables, views and sequences, in alphabetical order. */
async function grantsTo(role: string): Promise<Record<string, string>> {
  const rows = await gate.query<{ relname: string; verbs: string }>(
    `select relname, string_agg(lower(privilege_type), ' ' order by privilege_type) as verbs
     from pg_class, aclexplode(relacl)
     where relnamespace = 'public'::regnamespace and grantee = $1::regrole
     group by relname`,
    [role],
  );
  return Object.fromEntries(rows.map(({ relname, verbs }) => [relname, verbs]));
}

function columnGrantsTo(role: string): Promise<unknown[]> {
  return gate.query(
    `select relname as table, lower(privilege_type) as verb, (
       select array_agg(attname::text order by attname) from pg_attribute as other
       where other.attrelid = pg_class.oid and other.attnum > 0 and not attisdropped
         and not exists (
           select from aclexplode(other.attacl) as own
           where own.grantee = $1::regrole and own.privilege_type = granted.privilege_type
         )
     ) as "allBut"
     from pg_attribute join pg_class on pg_class.oid = attrelid, aclexplode(attacl) as granted
     where grantee = $1::regrole
     group by pg_class.oid, relname, privilege_type`,
    [role],
  );
}

/** The columns of tables with a tenant that a role may not read. */
async function hiddenFrom(role: string): Promise<string[]> {
  const rows = await gate.query<{ place: string }>(
    `select relname || '.' || attname as place
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     where relname = any ($2) and relnamespace = 'public'::regnamespace
       and not has_column_privilege($1, pg_class.oid, attnum, 'select')`,
    [role, tenantTables],
  );
  return rows.map(({ place }) => place).sort();
}
