import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const run = requestsOf('kept');
const restrictViolation = { code: '23001' };

let gate: TestApp;

beforeAll(async () => {
  gate = await createTestApp();
  await gate.seal(run.sealRequest());
  await gate.rehydrate(run.rehydrateRequest());
});

afterAll(() => gate.close());

describe.each(['trace_events', 'envelopes', 'decisions'])('%s refuses its own owner', (table) => {
  it.each([
    `update ${table} set tenant_id = 'other'`,
    `update ${table} set tenant_id = tenant_id`,
    `delete from ${table}`,
    `truncate ${table} cascade`,
    `merge into ${table} using (values (1)) as one on true when matched then delete`,
  ])('%s', async (sql) => {
    const before = await gate.query(`select * from ${table}`);

    await expect(gate.query(sql)).rejects.toMatchObject(restrictViolation);

    expect(before.length).toBeGreaterThan(0);
    expect(await gate.query(`select * from ${table}`)).toEqual(before);
  });
});

it('envelopes outlive a truncation of what they refer to', async () => {
  await expect(gate.query('truncate session_heads cascade')).rejects.toMatchObject(restrictViolation);
});

describe('a single partition of the trace refuses its owner', () => {
  it.each(['update %I set actor = actor', 'delete from %I', 'truncate %I'])('%s', async (statement) => {
    const [newest] = await gate.query<{ sql: string }>(
      `select format('${statement}', tableoid::regclass::text) as sql from trace_events limit 1`,
    );

    await expect(gate.query(newest?.sql ?? '')).rejects.toMatchObject(restrictViolation);
  });

  it('also one that was made later', async () => {
    await gate.database.ensureTracePartitions(30);
    const [last] = await gate.query<{ partition: string }>(
      `select inhrelid::regclass::text as partition from pg_inherits
        where inhparent = 'trace_events'::regclass order by 1 desc limit 1`,
    );

    await expect(gate.query(`truncate ${last?.partition ?? ''}`)).rejects.toMatchObject(restrictViolation);
  });
});

it('partitions are there for this month and the twelve to come', async () => {
  expect(await monthsWithoutPartition(12)).toEqual([]);
});

it('partitions are made once, however many replicas ask for them at the same moment', async () => {
  await Promise.all(Array.from({ length: 8 }, () => gate.database.ensureTracePartitions(36)));
  await gate.database.ensureTracePartitions(36);

  expect(await monthsWithoutPartition(36)).toEqual([]);
});

/** The months, from this one on, for whose last moment the trace has no place. */
function monthsWithoutPartition(monthsAhead: number): Promise<unknown[]> {
  return gate.query(
    `select month
       from generate_series(
         date_trunc('month', now(), 'UTC'), date_trunc('month', now(), 'UTC') + make_interval(months => $1),
         interval '1 month'
       ) as month
      where not exists (
        select from pg_inherits join pg_class on pg_class.oid = inhrelid
         where inhparent = 'trace_events'::regclass
           and pg_get_expr(relpartbound, inhrelid) =
               format('FOR VALUES FROM (%L) TO (%L)', month, month + interval '1 month')
      )`,
    [monthsAhead],
  );
}
