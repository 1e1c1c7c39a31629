import type { FastifyInstance } from 'fastify';
import { escapeLiteral, type QueryResultRow } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { buildApp } from '../../../src/http/build-app.js';
import type { Outcome } from '../../../src/app/store.js';
import { Database } from '../../../src/store/database.js';
import type { SqlTransaction, Statement } from '../../../src/store/sql.js';
import { knownSchemaVersion } from '../../../src/store/migrate.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { valueAt } from '../../support/edit-json.js';
import { matchingRecords, writeMatchingRecords } from '../../support/records.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { testReceipts } from '../../support/test-receipts.js';

const run = requestsOf('plans');
const { tenant_id, session_id } = run;
const { first: firstEvent } = run.envelope().source_event_range;

/** Rows of a statement that one answer may cost, however much the store holds: what the session itself has, and some. */
const fewRows = 40;

let store: TestDatabase;
let gate: TestApp;
let explained: FastifyInstance;
let database: ExplainingDatabase;

beforeAll(async () => {
  store = await createTestDatabase();
  gate = await createTestApp({ connectionString: store.connectionString });
  await writeMatchingRecords(gate, run);
  await fillStore();
  const url = new URL(store.connectionString);
  url.searchParams.set('options', '-c plan_cache_mode=force_generic_plan');
  database = new ExplainingDatabase({ connectionString: url.href });
  explained = await buildApp({
    database,
    schemaVersion: await knownSchemaVersion(),
    access: { mode: 'open', attestedState: true, hostNames: undefined },
    receipts: await testReceipts(),
  });
}, 120_000);

afterAll(async () => {
  await explained.close();
  await database.close();
  await gate.close();
  await store.drop();
});

describe('with a large store behind it, no statement reads a table from end to end, nor more rows than it needs:', () => {
  const action = matchingRecords(run).side_effect.body;

  it('of a boundary: the log grows, the envelope is sealed, the session is resumed', async () => {
    await expectLookUps(
      'POST',
      `/tenants/${tenant_id}/sessions/${session_id}/events`,
      { events: [{ event_id: 'one-more', event_type: 'call', content_sha256: 'sha256:one-more' }] },
      { 201: ['lock_session_head', 'find_session_events', 'insert_session_events', 'save_session_head'] },
    );
    await expectLookUps(
      'POST',
      '/envelopes',
      run.sealRequest({ envelope: { source_event_range: { first: firstEvent, last: 'one-more' } } }),
      {
        201: ['lock_sessions', 'read_known', 'write_session_changes'],
      },
    );
    await expectLookUps(
      'POST',
      '/rehydrate',
      run.rehydrateRequest({ current_state: undefined, source_event_range: undefined }),
      {
        200: ['lock_sessions', 'read_known', 'write_session_changes'],
      },
      { 'idempotency-key': 'plans' },
    );
  });

  it('of a write to each kind of record', async () => {
    for (const [name, { path, body }] of Object.entries(matchingRecords(run))) {
      await expectLookUps('PUT', `/tenants/${tenant_id}/${path}`, body, { 200: ['find_'] });
      if (name === 'policy') continue;
      const another = { ...body, ...('approval_id' in body && { approval_id: 'another' }) };
      await expectLookUps('PUT', `/tenants/${tenant_id}/${path}-2`, another, { 201: ['find_', 'save_'] });
    }
  });

  it('of a reconciliation', async () => {
    const path = `/tenants/${tenant_id}/side-effects/unknown`;
    const unknown = { ...action, approval_id: 'unknown', side_effect_status: 'side_effect_unknown' };
    await expectLookUps('PUT', path, unknown, {
      201: ['find_side_effect_of_side_effect', 'find_approval_of_side_effect'],
    });
    await expectLookUps(
      'POST',
      `${path}/reconciliation`,
      { outcome: 'not_started', evidence_refs: ['receipt'], reconciled_by: 'me' },
      { 200: ['find_reconciliation', 'insert_reconciliation'] },
    );
  });

  it.each([
    [`/tenants/${tenant_id}/sessions/${session_id}/control-state`, 'read_assembled_state'],
    [`/tenants/${tenant_id}/sessions/${session_id}/epoch`, 'read_session_epoch'],
    [`/tenants/${tenant_id}/sessions/${session_id}/events?after=20000&limit=10`, 'read_session_events_after'],
    [`/tenants/${tenant_id}/reconciliations?limit=10`, 'read_unknown_effects'],
    [`/tenants/${tenant_id}/${matchingRecords(run).constraint.path}`, 'find_constraints'],
  ])('of GET %s', async (url, statement) => {
    await expectLookUps('GET', url, undefined, { 200: [statement] });
  });
});

/** Sends a request and holds every statement that it ran to its plan; some of them are named, so that none is missed. */
async function expectLookUps(
  method: 'GET' | 'PUT' | 'POST',
  url: string,
  payload: object | undefined,
  expected: Readonly<Record<number, readonly string[]>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  database.plans.length = 0;

  const answer = await explained.inject({ method, url, headers, ...(payload && { payload }) });

  const plans = await Promise.all(database.plans);
  const [[status, names] = ['', []]] = Object.entries(expected);
  expect([answer.statusCode, answer.statusCode === Number(status) ? '' : answer.payload]).toEqual([
    Number(status),
    '',
  ]);
  const ran = plans.map(({ name }) => name);
  expect(names.filter((name) => !ran.some((other) => other.startsWith(name)))).toEqual([]);
  const faults = plans.flatMap(({ name, nodes }) =>
    nodes.flatMap((node) => faultOf(node) ?? []).map((fault) => `${name}: ${fault}`),
  );
  expect(faults).toEqual([]);
}

interface PlanNode {
  readonly type: unknown;
  readonly relation: unknown;
  readonly index: unknown;
  /** Rows that were looked at; unknown of a plan that was not run. */
  readonly rows: number;
}

function faultOf({ type, relation, index, rows }: PlanNode): string | undefined {
  const where = [type, 'on', relation, index].join(' ');
  if (type === 'Seq Scan') return where;
  return rows > fewRows ? `${where} looks at ${rows} rows` : undefined;
}

/** A store that runs each statement and then explains it where it stands, as the service and under its tenant. */
class ExplainingDatabase extends Database {
  readonly plans: Promise<{ name: string; nodes: PlanNode[] }>[] = [];

  override transactSql<T>(
    tenantId: string | null,
    work: (transaction: SqlTransaction) => Promise<Outcome<T>>,
  ): Promise<T> {
    return super.transactSql(tenantId, async (transaction) => {
      const outcome = await work({
        query: <Row extends QueryResultRow>(statement: Statement) => {
          const rows = transaction.query<Row>(statement);
          this.plans.push(
            ...(functions.has(statement.name)
              ? [Promise.resolve({ name: statement.name, nodes: [] })]
              : explain(transaction, statement)),
          );
          return rows;
        },
      });
      if (tenantId === null) this.plans.push(lookedAt(transaction));
      return outcome;
    });
  }
}

/** Statements that do their work inside of a function, where no plan shows it. */
const functions = new Set(['lock_sessions', 'read_known', 'write_session_changes']);

/** What the transaction has looked at so far, by table: that is how a function's own statements are seen. */
async function lookedAt(transaction: SqlTransaction): Promise<{ name: string; nodes: PlanNode[] }> {
  const rows = await transaction.query<{ relname: string; seq_scan: string; idx_tup_fetch: string | null }>({
    name: 'looked_at',
    text: 'select relname, seq_scan, idx_tup_fetch from pg_stat_xact_user_tables',
    values: [],
  });
  return {
    name: 'looked_at',
    nodes: rows.map(({ relname, seq_scan, idx_tup_fetch }) => ({
      type: Number(seq_scan) > 0 && !smallTables.has(relname) ? 'Seq Scan' : 'Index Scan',
      relation: relname,
      index: undefined,
      rows: Number(idx_tup_fetch ?? 0),
    })),
  };
}

/** Tables that hold a row for each life of the store. */
const smallTables = new Set(['store_incarnations']);

/** The plan for these values, and the one that Postgres keeps for any. What only reads is run once more. */
function explain(transaction: SqlTransaction, { name, text, values }: Statement) {
  const options = /^\s*(?:select|with)\b/.test(text) ? 'format json, analyze' : 'format json';
  const plans = [
    transaction.query({ name: `explain_${name}`, text: `explain (${options}) ${text}`, values }),
    transaction.query({
      name: '',
      text: `explain (${options}) execute ${name}${values.length > 0 ? `(${values.map(literal).join()})` : ''}`,
      values: [],
    }),
  ];
  return plans.map(async (rows) => ({ name, nodes: scansIn(valueAt(await rows, '/0/QUERY PLAN/0/Plan')) }));
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return escapeLiteral(`{${value.map((item) => JSON.stringify(item)).join()}}`);
  return escapeLiteral(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Every node of a plan that reads a table. */
function scansIn(plan: unknown): PlanNode[] {
  const inner: unknown = valueAt(plan, '/Plans') ?? [];
  const below = Array.isArray(inner) ? inner.flatMap(scansIn) : [];
  const relation = valueAt(plan, '/Relation Name');
  if (relation === undefined) return below;
  const seen = ['/Actual Rows', '/Rows Removed by Filter', '/Rows Removed by Index Recheck'].map((pointer) =>
    Number(valueAt(plan, pointer) ?? 0),
  );
  const rows = seen.reduce((sum, count) => sum + count, 0) * Number(valueAt(plan, '/Actual Loops') ?? 0);
  return [
    { type: valueAt(plan, '/Node Type'), relation, index: valueAt(plan, '/Index Name'), rows },
    ...below,
  ];
}

/** Rows of other sessions of the same tenant and of another one, and a long log of the session itself. */
async function fillStore(): Promise<void> {
  const others = `from generate_series(1, 5000) as n, unnest(array['${tenant_id}', 'other-tenant']) as t`;
  await gate.query('set session_replication_role = replica');
  for (const sql of [
    `insert into session_events
       select '${tenant_id}', '${session_id}', n, '${session_id}-event-' || n, 'call', 'sha256:c', null, 'sha256:l' || n
       from generate_series(10, 25000) as n`,
    `update session_heads set event_sequence = 25000 where tenant_id = '${tenant_id}' and session_id = '${session_id}'`,
    `insert into session_events select t, 'other-' || n % 500, n, 'event-' || n, 'call', 'sha256:c', null, 'l' ${others}`,
    `insert into session_events
       select 'third-tenant', 'other-' || n % 100, n, 'event-' || n, 'call', 'sha256:c', null, 'l'
       from generate_series(1, 20000) as n`,
    `insert into session_heads (tenant_id, session_id) select t, 'other-' || n ${others}`,
    `insert into tenant_heads (tenant_id) select 'other-' || n from generate_series(1, 5000) as n`,
    `insert into policies (tenant_id, policy_version) select 'other-' || n, 'v' from generate_series(1, 5000) as n`,
    `insert into capabilities (tenant_id, capability_name, capability_version) select t, 'other-' || n, 'v' ${others}`,
    `insert into principals (tenant_id, principal_id, principal_status) select t, 'other-' || n, 'active' ${others}`,
    `insert into sessions
       select t, 'other-' || n, 'active', 'p', 'platform_owned', '', '', 'k', 'c', null, null, null ${others}`,
    `insert into obligations (tenant_id, session_id, obligation_id, obligation_status)
       select t, 'other-' || n % 500, 'o-' || n, 'open' ${others}`,
    `insert into constraints (tenant_id, constraint_ref, session_id, text, constraint_status, sha256)
       select t, 'c-' || n, 'other-' || n % 500, 'Ask.', 'active', 's' ${others}`,
    `insert into approvals select t, 'a-' || n, 'other-' || n % 500, 'c', 'd', 'approved', now() ${others}`,
    `insert into side_effects
       select t, 'k-' || n, 'other-' || n % 500, 'c', 'a-' || n, 'd',
         case when n % 2 = 0 then 'side_effect_unknown' else 'not_started' end ${others}`,
    `insert into reconciliations select t, 'k-' || n, 2, now(), 'not_started', array['e'], 'me' ${others}`,
    `insert into envelopes
       select t, 'e-' || n, 'other-' || n % 500, '{}', 'd', null, null, '{}', 0, now(), gen_random_uuid(), 'reset_boundary'
       ${others}`,
    `insert into approval_bindings select t, 'other-' || n % 500, 'a-' || n, 'p', 'c', 'd', 'e-' || n ${others}`,
    `insert into decisions
       select t, gen_random_uuid(), 'other-' || n % 500, 'e-' || n, 't', now(), 'continuity_validation_failed', 'r',
         '[]', '{}', null, null, gen_random_uuid(), 'e' ${others}`,
    `insert into idempotency_keys select t, 'k-' || n, 's', gen_random_uuid(), now() ${others}`,
    `insert into trace_events (
         event_id, event_type, schema_version, occurred_at, tenant_id, session_id, actor, payload, sequence,
         previous_sha256, event_sha256)
       select gen_random_uuid(), 'e', 'v', now(), t, 'other-' || n % 500, 'a', '{}', n, 'p', 'e' ${others}`,
    'analyze',
  ]) {
    await gate.query(sql);
  }
  await gate.query('reset session_replication_role');
}
