import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';

import { valueAt } from '../../support/edit-json.js';
import { accessBy, bearer, createSigningKey, mint } from '../../support/identity-provider.js';
import { captureLog } from '../../support/log-lines.js';
import { requestsOf } from '../../support/requests.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { createTestApp, type StoredEvent, type TestApp } from '../../support/test-app.js';

const key = await createSigningKey('key-1');
const store = await createTestApp();
const { connectionString } = store;
const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

afterAll(() => store.close());

describe('the log', () => {
  it('tells a caller without a valid token once in a while, and how many there were', async () => {
    const { gate, log } = await startGate();

    for (let index = 0; index < 5; index += 1) await gate.get('/trace-events');
    await gate.get('/envelopes/e-1');

    expect(refusalsIn(log)).toEqual([
      {
        level: 40,
        code: 'unauthenticated',
        detail: 'A bearer token is required',
        route: 'GET /trace-events',
        actor: 'unknown',
        refused_total: 1,
      },
      expect.objectContaining({ route: 'GET /envelopes/:envelope_id', refused_total: 6 }),
    ]);
  });

  it('tells a caller without the scope by its subject, each on its own', async () => {
    const { gate, log } = await startGate();
    for (const sub of ['caller-1', 'caller-2', 'caller-1', 'caller-1']) {
      await ask(gate, '/trace-events', { sub, scope: 'records:read' });
    }

    expect(refusalsIn(log)).toEqual([
      {
        level: 40,
        code: 'forbidden',
        detail: 'The token needs the scope trace:read',
        route: 'GET /trace-events',
        actor: 'caller-1',
        refused_total: 1,
      },
      expect.objectContaining({ actor: 'caller-2', refused_total: 2 }),
    ]);
  });

  it('tells the same caller again after ten seconds, with all that was held back', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const { gate, log } = await startGate();
    const refuse = () => gate.get('/trace-events');
    for (let index = 0; index < 3; index += 1) await refuse();
    vi.setSystemTime(Date.now() + 9_000);
    await refuse();
    expect(refusalsIn(log)).toHaveLength(1);

    vi.setSystemTime(Date.now() + 2_000);
    await refuse();

    expect(refusalsIn(log).map((line) => valueAt(line, '/refused_total'))).toEqual([1, 5]);
  });

  it('says nothing of a caller that is let in', async () => {
    const { gate, log } = await startGate();

    await ask(gate, '/trace-events', { scope: 'trace:read' });

    expect(refusalsIn(log)).toEqual([]);
  });

  it('never shows a token, valid or not, wherever it was put', async () => {
    const { gate, log } = await startGate('trace');
    const stranger = await createSigningKey('key-1');
    const tokens = [
      await mint(key, { tenants: ['acme'], scope: 'records:read' }),
      await mint(key, { tenants: 'not a list' }),
      await mint(key, { exp: 1 }),
      await mint(stranger),
      'not.a.token',
      'opaque-secret',
    ];
    for (const token of tokens) {
      for (const authorization of [`Bearer ${token}`, `Basic ${token}`, token]) {
        await gate.inject({ url: '/trace-events', headers: { authorization } });
        await gate.inject({ method: 'POST', url: '/rehydrate', headers: { authorization }, payload: {} });
      }
      await gate.app.inject(`/trace-events?access_token=${token}`);
      await gate.app.inject(`/nowhere?access_token=${token}`);
    }

    expect(log.text()).not.toBe('');
    const parts = tokens.flatMap((token) => [token, ...token.split('.')]).filter((part) => part.length > 5);
    for (const part of parts) expect(log.text()).not.toContain(part);
  });
});

describe('the trace', () => {
  it('has an event of a caller without the scope, in the chain of its tenant alone', async () => {
    const { gate } = await startGate();
    const tenant = 'scope-tenant';

    expect(await ask(gate, '/rehydrate', { tenants: [tenant], scope: 'records:read' }, 'POST')).toBe(403);

    const events = await eventsOf(tenant);
    expect(events).toMatchObject([
      {
        event_type: 'continuity_validation_failed',
        session_id: null,
        actor: 'caller-1',
        status: 'continuity_validation_failed',
        reason: 'forbidden',
        payload: { phase: 'access', reason: 'forbidden', route: 'POST /rehydrate' },
      },
    ]);
    expect(events.map(({ sequence }) => sequence)).toEqual([1]);
  });

  it('has an event of a caller that speaks for a principal that is not its own', async () => {
    const { gate } = await startGate();
    const run = requestsOf('principal');
    const claims = { tenants: [run.tenant_id], scope: 'envelopes:write rehydrate', principals: ['other'] };
    const send = async (url: string, payload: object) =>
      gate.inject({ method: 'POST', url, headers: bearer(await mint(key, claims)), payload });

    expect((await send('/envelopes', run.sealRequest())).status).toBe(403);
    expect((await send('/rehydrate', run.rehydrateRequest())).status).toBe(403);

    expect((await eventsOf(run.tenant_id)).map(({ payload }) => payload['route'])).toEqual([
      'POST /envelopes',
      'POST /rehydrate',
    ]);
  });

  it('has one event a minute of the same caller on the same route', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const { gate } = await startGate();
    const claims = { tenants: ['often-tenant'], scope: 'records:read' };
    for (let index = 0; index < 4; index += 1) await ask(gate, '/trace-events', claims);
    expect(await eventsOf('often-tenant')).toHaveLength(1);
    await ask(gate, '/trace-events', { ...claims, sub: 'caller-2' });
    expect(await eventsOf('often-tenant')).toHaveLength(2);

    vi.setSystemTime(Date.now() + 61_000);
    await ask(gate, '/trace-events', claims);

    expect((await eventsOf('often-tenant')).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });

  it('has none of callers whose tenant is not known, or is not theirs', async () => {
    const { gate } = await startGate();
    const run = requestsOf('quiet');
    const before = await everyEvent();
    const foreign = { tenants: ['somewhere'], scope: 'envelopes:write policy:write' };

    expect(await ask(gate, '/trace-events', { tenants: ['quiet-a', 'quiet-b'], scope: '' })).toBe(403);
    expect(await ask(gate, '/trace-events', { tenants: [], scope: '' })).toBe(403);
    expect(await ask(gate, '/envelopes', foreign, 'POST', run.sealRequest())).toBe(403);
    expect(await ask(gate, `/tenants/${run.tenant_id}/policy`, foreign, 'PUT', {})).toBe(403);
    expect(await ask(gate, '/trace-events', { exp: 1, tenants: [run.tenant_id] })).toBe(401);

    expect(await everyEvent()).toEqual(before);
  });
});

describe('while the store is away', () => {
  it.each(['cut', 'freeze'] as const)('(%s) the answer is the same, and comes in time', async (outage) => {
    const proxy = await startTcpProxy(connectionString);
    cleanUps.push(() => proxy.close());
    const timeOuts = { connectTimeoutMs: 300, statementTimeoutMs: 300, lockTimeoutMs: 200 };
    const { gate, log } = await startGate('info', { ...timeOuts, connectionString: proxy.connectionString });
    const claims = { tenants: ['outage-tenant'], scope: 'records:read' };
    const token = await mint(key, claims);
    const asked = () => gate.inject({ url: '/trace-events', headers: bearer(token) });
    await gate.app.inject('/readyz');
    await proxy[outage]();
    const started = performance.now();

    const answer = await asked();

    expect(performance.now() - started).toBeLessThan(4_000);
    expect([answer.status, answer.string('/code')]).toEqual([403, 'forbidden']);
    expect(refusalsIn(log)).toHaveLength(1);
    expect(log.lines('The event of a refused caller could not be written')).toHaveLength(1);
    expect((await gate.get('/trace-events')).status).toBe(401);
    await proxy.restore();
  });
});

async function startGate(level = 'info', database: { connectionString?: string } & object = {}) {
  const log = captureLog(level);
  const gate = await createTestApp({
    connectionString,
    access: accessBy(key),
    logger: log.logger,
    database,
  });
  cleanUps.push(() => gate.close());
  return { gate, log };
}

async function ask(
  gate: TestApp,
  url: string,
  claims: Readonly<Record<string, unknown>>,
  method: 'GET' | 'POST' | 'PUT' = 'GET',
  payload?: object,
): Promise<number> {
  const headers = bearer(await mint(key, { tenants: ['acme'], ...claims }));
  return (await gate.inject({ method, url, headers, ...(payload && { payload }) })).status;
}

function refusalsIn(log: ReturnType<typeof captureLog>): unknown[] {
  return log.lines('A caller was refused').map(({ level, code, detail, route, actor, refused_total }) => ({
    level,
    code,
    detail,
    route,
    actor,
    refused_total,
  }));
}

function eventsOf(tenantId: string): Promise<StoredEvent[]> {
  return store.query<StoredEvent>(
    `select *, trace_events.sequence::integer as sequence from trace_events where tenant_id = $1
     order by session_id nulls first, trace_events.sequence`,
    [tenantId],
  );
}

function everyEvent(): Promise<unknown[]> {
  return store.query('select event_id from trace_events order by event_id');
}
