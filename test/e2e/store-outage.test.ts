import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Answer } from '../support/answer.js';
import { createTestDatabase, query, type TestDatabase } from '../support/database.js';
import { requestsOf } from '../support/requests.js';
import { launchService, startService, type ServiceProcess } from '../support/service-process.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

let store: TestDatabase;
let proxy: TcpProxy;
let service: ServiceProcess;

beforeAll(async () => {
  store = await createTestDatabase();
  proxy = await startTcpProxy(store.connectionString);
  service = await startService({ DATABASE_URL: proxy.connectionString });
});

afterAll(async () => {
  await service.end('SIGTERM');
  await proxy.close();
  await store.drop();
});

beforeEach(async () => {
  await proxy.restore();
  await untilReady(service);
});

it('a store that is down is told at once on every route, and found again by the same process', async () => {
  const run = requestsOf('down');
  await service.ask('POST', '/envelopes', run.sealRequest());
  await proxy.cut();
  const start = performance.now();

  const answers = [
    await service.ask('POST', '/rehydrate', run.rehydrateRequest()),
    await service.ask('POST', '/envelopes', run.sealRequest()),
    await service.ask('GET', `/envelopes/${run.envelope_id}?tenant_id=${run.tenant_id}`),
    await service.ask('GET', `/trace-events?tenant_id=${run.tenant_id}`),
    await service.ask('GET', '/readyz'),
  ];

  expect(performance.now() - start).toBeLessThan(8_000);
  for (const answer of answers) expectUnavailable(answer);
  expect(answers[0]?.body).toMatchObject(stop);
  expect((await service.ask('GET', '/healthz')).status).toBe(200);
  await proxy.restore();
  await untilReady(service);
  expect((await service.ask('POST', '/rehydrate', run.rehydrateRequest())).body).toMatchObject({
    status: 'reauthorization_required',
    session_epoch: 1,
  });
  expect(service.child.exitCode).toBeNull();
});

it('a request that loses the store half-way is stopped, and nothing of it has happened', async () => {
  const run = requestsOf('half-way');
  await service.ask('POST', '/envelopes', run.sealRequest());
  const holder = new Client({ connectionString: store.connectionString });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from session_heads where session_id = $1 for update', [run.session_id]);
  const inFlight = service.ask('POST', '/rehydrate', run.rehydrateRequest());
  await expect.poll(() => waiting(store), { timeout: 10_000, interval: 20 }).toBe(1);

  await proxy.cut();

  const answer = await inFlight;
  expectUnavailable(answer);
  expect(answer.body).toMatchObject(stop);
  await holder.query('commit');
  await holder.end();
  await proxy.restore();
  await untilReady(service);
  expect((await service.ask('POST', '/rehydrate', run.rehydrateRequest())).body).toMatchObject({
    session_epoch: 1,
  });
});

it('a store that says nothing any more is given up in time', async () => {
  const run = requestsOf('silent');
  await service.ask('POST', '/envelopes', run.sealRequest());
  proxy.freeze();
  const start = performance.now();

  const answers = await Promise.all([
    service.ask('POST', '/rehydrate', run.rehydrateRequest()),
    service.ask('POST', '/envelopes', requestsOf('silent-too').sealRequest()),
    service.ask('GET', '/readyz'),
  ]);

  expect(performance.now() - start).toBeLessThan(12_000);
  for (const answer of answers) expectUnavailable(answer);
});

it('a process whose every connection breaks under load, again and again, lives on and keeps its word', async () => {
  const run = requestsOf('terminated');
  await service.ask('POST', '/envelopes', run.sealRequest());
  const requests = Array.from({ length: 60 }, async (_, index) => {
    await sleep(index * 10);
    return service.ask('POST', '/rehydrate', run.rehydrateRequest());
  });
  const answers = Promise.all(requests);
  for (let round = 0; round < 8; round += 1) {
    await sleep(80);
    await query(store.connectionString, terminateServiceBackends);
  }

  const goes = (await answers).filter(({ status }) => status === 200);

  expect([200, 503]).toEqual(expect.arrayContaining((await answers).map(({ status }) => status)));
  expect(goes.length).toBeGreaterThan(0);
  expect(service.child.exitCode).toBeNull();
  await untilReady(service);
  const [{ epoch, resumed } = { epoch: 0, resumed: 0 }] = (await query(
    store.connectionString,
    `select session_epoch::integer as epoch,
            (select count(*)::integer from trace_events
              where session_id = head.session_id and event_type = 'context_rehydration') as resumed
       from session_heads as head where session_id = '${run.session_id}'`,
  )) as { epoch: number; resumed: number }[];
  // A go whose answer was lost on the way may have happened; one that was answered has.
  expect(epoch).toBe(resumed);
  expect(epoch).toBeGreaterThanOrEqual(goes.length);
});

it('a service that starts before its store waits for it', async () => {
  await proxy.cut();
  const launched = launchService({ DATABASE_URL: proxy.connectionString });
  onTestFinished(() => {
    launched.kill();
  });
  await expect
    .poll(() => launched.log(), { timeout: 20_000 })
    .toContain('The governed store is not up yet; trying again');

  await proxy.restore();

  const late = await launched.started;
  expect((await late.ask('GET', '/readyz')).status).toBe(200);
  expect(await late.end('SIGTERM')).toBe(0);
});

const stop = {
  status: 'continuity_validation_failed',
  reason: 'governed_store_unavailable',
  authorized: false,
  requires_reauthorization: true,
};

const terminateServiceBackends = `
  select pg_terminate_backend(pid) from pg_stat_activity
   where datname = current_database() and application_name = 'continuity-gate'`;

function expectUnavailable(answer: Answer): void {
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({ code: 'governed_store_unavailable' });
}

async function untilReady(asked: ServiceProcess): Promise<void> {
  await expect
    .poll(async () => (await asked.ask('GET', '/readyz')).status, { timeout: 20_000, interval: 100 })
    .toBe(200);
}

async function waiting({ connectionString }: TestDatabase): Promise<number> {
  return (
    await query(
      connectionString,
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length;
}
