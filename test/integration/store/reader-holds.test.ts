import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { migrate } from '../../../src/store/migrate.js';
import { dropTracePartitions } from '../../../src/store/retention.js';
import { createTestDatabase, query } from '../../support/database.js';
import { recordsOfTenant } from '../../support/records.js';
import { requestsOf, type Requests } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { eventually } from '../../support/trace-pages.js';

/** What somebody with SQL can take and hold, and what of the gate that stops: nothing. */

const role = `reader_${randomUUID().replaceAll('-', '')}`;
let gate: TestApp;
let url: string;
let reader: Client;

beforeAll(async () => {
  gate = await createTestApp();
  for (const statement of await statementsOfThePage()) await gate.query(statement.replace('anna', role));
  await gate.query(`alter role ${role} password 'secret'`);
  url = Object.assign(new URL(gate.connectionString), { username: role, password: 'secret' }).href;
});

beforeEach(async () => {
  reader = new Client({ connectionString: url });
  await reader.connect();
});

afterEach(() => reader.end());

afterAll(async () => {
  await gate.query(`drop role ${role}`);
  await gate.close();
});

it('a login that is made as the page says has limits of its own', async () => {
  const { rows } = await reader.query<Record<string, string>>(
    `select session_user as login, current_setting('statement_timeout') as statement,
       current_setting('idle_in_transaction_session_timeout') as idle`,
  );

  expect(rows).toEqual([{ login: role, statement: '1min', idle: '1min' }]);
  await expect(reader.query('delete from trace_events')).rejects.toMatchObject({ code: '42501' });
});

it.each([
  'select from session_heads for share',
  'select from tenant_heads for update',
  'lock table session_heads in row share mode',
  'lock table trace_events in share update exclusive mode',
  'lock table schema_migrations in share row exclusive mode',
])('a reader may not lock what the gate locks: %s', async (sql) => {
  await reader.query('begin');

  await expect(reader.query(sql)).rejects.toMatchObject({ code: '42501' });
});

describe('advisory locks', () => {
  it('are taken by nothing in the store', async () => {
    const functions = await gate.query(
      `select proname from pg_proc where pronamespace = 'public'::regnamespace and prosrc ~ 'advisory'`,
    );

    expect(functions).toEqual([]);
  });

  it('on whatever can be worked out keep nobody from writing an approval, starting or migrating', async () => {
    const tenant_id = randomUUID();
    await reader.query(
      `select pg_advisory_lock(hashtextextended($1, 0)), pg_advisory_lock(hashtext('continuity-gate partitions')),
         pg_advisory_lock(hashtext('continuity-gate migrations'))`,
      [`${tenant_id} apr-1`],
    );

    const approved = await recordsOfTenant(gate, tenant_id).put('approvals/apr-1', approval);
    await gate.database.ensureTracePartitions(40);
    await migrate(gate.connectionString);

    expect(approved.status).toBe(201);
  });
});

describe('a transaction that a reader holds open', () => {
  it('with an id of its own hides no event', async () => {
    await reader.query('begin');
    await reader.query('select pg_current_xact_id()');

    expect(await eventsOf(await sealed())).toEqual(['context_compaction']);
  });

  it('that has read everything keeps nobody from writing, nor from making partitions', async () => {
    await reader.query('begin isolation level repeatable read');
    for (const table of [
      'trace_events',
      'session_heads',
      'approvals',
      'schema_versions',
      'schema_migrations',
    ])
      await reader.query(`select count(*) from ${table}`);

    await gate.database.ensureTracePartitions(50);
    await migrate(gate.connectionString);

    expect(await eventsOf(await sealed())).toEqual(['context_compaction']);
  });

  it('that has read the trace makes retention give up before the gate has to', async () => {
    await gate.query(
      `create table trace_events_2020_01 partition of trace_events
       for values from ('2020-01-01Z') to ('2020-02-01Z')`,
    );
    await reader.query('begin');
    await reader.query('select count(*) from trace_events');

    const dropped = dropTracePartitions(gate.connectionString, '2020-02-01T00:00:00Z');
    const [outcome, written] = await Promise.allSettled([dropped, sealed()]);

    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'trace_in_use' } });
    expect(written).toMatchObject({ status: 'fulfilled' });
    await reader.query('commit');
    expect(await dropTracePartitions(gate.connectionString, '2020-02-01T00:00:00Z')).toEqual([
      'trace_events_2020_01',
    ]);
  });
});

describe('an open transaction of somebody who can write', () => {
  it('to another database of the server hides no event', async () => {
    const other = await createTestDatabase();
    const stranger = new Client({ connectionString: other.connectionString });
    await stranger.connect();
    await stranger.query('begin');
    await stranger.query('select pg_current_xact_id()');

    const shown = await eventsOf(await sealed());

    await stranger.end();
    await other.drop();
    expect(shown).toEqual(['context_compaction']);
  });

  it.each([
    ['the service', 'grant continuity_gate_service to $role', 'revoke continuity_gate_service from $role'],
    [
      'the service, on demand',
      'grant continuity_gate_service to $role with inherit false',
      'revoke continuity_gate_service from $role',
    ],
    [
      'a right of its own',
      'grant insert on trace_events to $role',
      'revoke insert on trace_events from $role',
    ],
    ['the owner', `grant "$owner" to $role`, `revoke "$owner" from $role`],
  ])('as %s holds back what came after it until it ends', async (_who, grant, revoke) => {
    const [owner] = (await query(gate.connectionString, 'select current_user as name')) as { name: string }[];
    const named = (sql: string) => sql.replace('$role', role).replace('$owner', owner?.name ?? '');
    await gate.query(named(grant));
    await reader.query('begin');
    await reader.query('select pg_current_xact_id()');

    const run = await sealed();
    const before = await eventsOf(run);
    await reader.query('commit');
    await gate.query(named(revoke));

    expect(before).toEqual([]);
    await eventually(async () => {
      expect(await eventsOf(run)).toEqual(['context_compaction']);
    });
  });
});

const approval = {
  session_id: 'session-1',
  capability_name: 'create_ticket',
  action_digest: 'sha256:action',
  approval_status: 'approved',
  expires_at: '2999-01-01T00:00:00Z',
};

async function sealed(): Promise<Requests> {
  const run = requestsOf(randomUUID());
  expect((await gate.seal(run.sealRequest())).status).toBe(201);
  return run;
}

async function eventsOf({ tenant_id }: Requests): Promise<string[]> {
  const { body } = await gate.get('/trace-events', { tenant_id });
  return (body as { events: { event_type: string }[] }).events.map(({ event_type }) => event_type);
}

/** How people get a login, from the page that tells them. */
async function statementsOfThePage(): Promise<string[]> {
  const page = await readFile(new URL('../../../docs/evidence.md', import.meta.url), 'utf8');
  const [, block = ''] = /```sql\n(create role anna[^`]*)```/.exec(page) ?? [];
  return block.trim().split('\n');
}
