import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { traceRefusal } from '../../../src/app/trace-refusal.js';
import { recordsOfTenant } from '../../support/records.js';
import { connectAsService, type ServiceRole } from '../../support/service-role.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

/** Another replica, which is about to commit the first write of the tenant. */
let other: ServiceRole;
let gate: TestApp;
let tenant: string;
let tenants = 0;

beforeAll(async () => {
  gate = await createTestApp();
  other = await connectAsService(gate.connectionString);
});

beforeEach(async () => {
  tenants += 1;
  tenant = `tenant-${tenants}`;
  await other.query('begin');
  await other.query(`select set_config('continuity.tenant_id', $1, true)`, [tenant]);
  await other.query('insert into tenant_heads (tenant_id) values ($1)', [tenant]);
  await other.query(`insert into policies (tenant_id, policy_version) values ($1, 'policy-v4')`, [tenant]);
});

afterAll(async () => {
  await other.close();
  await gate.close();
});

it('a record that another replica makes meanwhile is seen by the first write that waited for it', async () => {
  const written = recordsOfTenant(gate, tenant).put('policy', { policy_version: 'policy-v4' });
  await commitOnceWaitedFor();

  const answer = await written;

  expect([answer.status, answer.body]).toEqual([
    200,
    expect.objectContaining({ policy_version: 'policy-v4', revision: 1 }),
  ]);
});

it('a first write with If-Match is held to the revision that another replica makes meanwhile', async () => {
  const written = recordsOfTenant(gate, tenant).put(
    'policy',
    { policy_version: 'policy-v5' },
    { 'if-match': '"1"' },
  );
  await commitOnceWaitedFor();

  const answer = await written;

  expect([answer.status, answer.body]).toEqual([
    200,
    expect.objectContaining({ policy_version: 'policy-v5', revision: 2 }),
  ]);
});

it('the event of a caller who is refused first is not older than what it waited for', async () => {
  const traced = traceRefusal(gate.database, {
    tenant_id: tenant,
    actor: 'somebody',
    reason: 'forbidden',
    route: 'POST /rehydrate',
  });
  const committed = await commitOnceWaitedFor();
  await traced;

  const [event] = await gate.query<{ occurred_at: string }>(
    'select rfc3339(occurred_at) as occurred_at from trace_events where tenant_id = $1',
    [tenant],
  );
  expect(String(event?.occurred_at) > committed).toBe(true);
});

/** Lets the other replica commit as soon as somebody waits for it; returns the time at which it did. */
async function commitOnceWaitedFor(): Promise<string> {
  await expect.poll(waitingForLocks, { timeout: 10_000, interval: 10 }).toBe(1);
  const [clock] = await other.query<{ now: string }>('select rfc3339(clock_timestamp()) as now');
  await other.query('commit');
  return String(clock?.now);
}

async function waitingForLocks(): Promise<number> {
  const [row] = await gate.query<{ count: number }>(
    `select count(*)::integer from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}
