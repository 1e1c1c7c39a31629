import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../support/answer.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

let gate: TestApp;
let local: TestApp;
let orphan: TestApp;

beforeAll(async () => {
  gate = await createTestApp();
  const { connectionString } = gate;
  local = await createTestApp({
    access: { mode: 'open', attestedState: true, hostNames: ['localhost', '127.0.0.1', '[::1]'] },
    connectionString,
  });
  orphan = await createTestApp({
    connectionString,
    database: { connectionString: nowhere(connectionString) },
  });
});

afterAll(async () => {
  await orphan.close();
  await local.close();
  await gate.close();
});

const json = { 'content-type': 'application/json' };

describe('GET /healthz', () => {
  it('200: asks the process alone', async () => {
    for (const app of [gate, orphan]) {
      const answer = await app.get('/healthz');
      expect([answer.status, answer.body]).toEqual([200, { status: 'alive' }]);
    }
  });
});

describe('GET /readyz', () => {
  it('200: the store answers and its schema is current', async () => {
    const answer = await gate.get('/readyz');

    expect([answer.status, answer.body]).toEqual([200, { status: 'ready' }]);
  });

  it.each([
    ['too old', 'delete from schema_versions where version = (select max(version) from schema_versions)'],
    ['too new', 'insert into schema_versions (version, oldest_program) values (9999, 9999)'],
  ])('503: the schema is %s for the program', async (_which, change) => {
    const other = await createTestApp();
    await other.query(change);

    const answer = await other.get('/readyz');

    await other.close();
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({
      code: 'governed_store_unavailable',
      detail: 'The schema of the governed store is not current',
    });
  });

  it('503: the trace has no partition for this month, and nothing could be decided', async () => {
    const other = await createTestApp();
    const [month] = await other.query<{ name: string }>(
      `select 'trace_events_' || to_char(clock_timestamp() at time zone 'UTC', 'YYYY_MM') as name`,
    );
    await other.query(`drop table ${String(month?.name)}`);

    const answer = await other.get('/readyz');
    const sealed = await other.app.inject({
      method: 'POST',
      url: '/envelopes',
      headers: json,
      payload: requestsOf('no-partition').sealRequest(),
    });

    await other.close();
    expect(sealed.statusCode).toBeGreaterThanOrEqual(500);
    expect(answer.status).toBe(503);
    expect(answer.string('/detail')).toBe('The trace has no partition for the current month');
  });

  it('503: the store is away', async () => {
    const answer = await orphan.get('/readyz');

    expectUnavailable(answer);
    expect(answer.body).toMatchObject({ type: 'urn:continuity-gate:problem:governed_store_unavailable' });
  });
});

describe('while the store is away', () => {
  const run = requestsOf('away');

  it('503: /rehydrate stops', async () => {
    const answer = await orphan.rehydrate(run.rehydrateRequest(), { 'idempotency-key': 'k' });

    expectUnavailable(answer);
    expect(answer.contentType).toBe('application/json; charset=utf-8');
    expect(answer.body).toMatchObject({
      status: 'continuity_validation_failed',
      reason: 'governed_store_unavailable',
      authorized: false,
      requires_reauthorization: true,
    });
  });

  it('503: every other route that needs it says so', async () => {
    const tenant = { tenant_id: 'a' };
    for (const answer of [
      await orphan.seal(run.sealRequest()),
      await orphan.get('/envelopes/a', tenant),
      await orphan.get('/decisions/01a23052-0000-7000-8000-00000000ffff', tenant),
      await orphan.get('/trace-events', tenant),
    ]) {
      expectUnavailable(answer);
      expect(answer.contentType).toBe('application/problem+json; charset=utf-8');
    }
  });

  it('a malformed request is still told what is wrong with it', async () => {
    expect((await orphan.rehydrate({})).status).toBe(400);
    expect((await orphan.seal({})).status).toBe(400);
  });

  it('200: /inspect-continuity needs none', async () => {
    const { continuity_envelope, summary } = run.sealRequest();

    const answer = await orphan.inject({
      method: 'POST',
      url: '/inspect-continuity',
      headers: json,
      payload: JSON.stringify({ continuity_envelope, summary, current_state: run.attestedState() }),
    });

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'reauthorization_required', authorized: false });
  });
});

it('503: whoever finds too many waiting already is turned away at once', async () => {
  const busy = await createTestApp({
    connectionString: gate.connectionString,
    database: { maxConnections: 1, maxWaiting: 1 },
  });

  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => busy.rehydrate(requestsOf(`busy-${index}`).rehydrateRequest())),
  );

  await busy.close();
  const refused = answers.filter(({ status }) => status === 503);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 503]));
  for (const answer of refused) {
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.body).toMatchObject({
      status: 'continuity_validation_failed',
      reason: 'overloaded',
      authorized: false,
      requires_reauthorization: true,
    });
  }
});

describe('open on loopback', () => {
  it.each(['localhost', 'localhost:8080', '127.0.0.1:8080', '[::1]:8080'])('answers to %s', async (host) => {
    const answer = await local.inject({ method: 'GET', url: '/healthz', headers: { host } });

    expect(answer.status).toBe(200);
  });

  const foreign = [
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    '10.0.0.1',
  ];

  it.each(foreign)('403: answers not to %s, on no route', async (host) => {
    const run = requestsOf(`foreign-${host}`);
    const post = { method: 'POST', headers: { ...json, host } } as const;
    const answers = [
      await local.inject({ method: 'GET', url: '/healthz', headers: { host } }),
      await local.inject({ method: 'GET', url: '/readyz', headers: { host } }),
      await local.inject({ method: 'GET', url: '/trace-events?tenant_id=a', headers: { host } }),
      await local.inject({ ...post, url: '/envelopes', payload: JSON.stringify(run.sealRequest()) }),
      await local.inject({ ...post, url: '/rehydrate', payload: JSON.stringify(run.rehydrateRequest()) }),
      await local.inject({ ...post, url: '/inspect-continuity', payload: '{}' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect(await gate.storedEvents(run)).toEqual([]);
  });
});

describe('404', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/nothing?tenant_id=a'],
    ['GET', '/envelopes'],
    ['GET', '/envelopes/a/b?tenant_id=a'],
    ['DELETE', '/envelopes/a?tenant_id=a'],
    ['PUT', '/envelopes/a?tenant_id=a'],
    ['POST', '/trace-events'],
    ['DELETE', '/trace-events?tenant_id=a'],
    ['PATCH', '/decisions/01a23052-0000-7000-8000-00000000ffff'],
    ['GET', '/Rehydrate'],
    ['OPTIONS', '/envelopes'],
  ] as const)('%s %s is problem details', async (method, url) => {
    const answer = await gate.inject({
      method,
      url,
      ...(method !== 'GET' && { headers: json, payload: '{}' }),
    });

    expect(answer.status).toBe(404);
    expect(answer.contentType).toBe('application/problem+json; charset=utf-8');
    expect(answer.body).toEqual({
      type: 'urn:continuity-gate:problem:route_not_found',
      title: 'There is no such route',
      status: 404,
      detail: 'No route of the gate has this method and path',
      code: 'route_not_found',
      errors: [],
      request_id: answer.headers['x-request-id'],
    });
  });
});

it('GET /openapi.json is the document that every answer here was held to', async () => {
  const response = await gate.app.inject('/openapi.json');

  expect(response.payload).toBe(JSON.stringify(gate.app.swagger()));
});

function expectUnavailable(answer: Answer): void {
  expect(answer.status).toBe(503);
  expect(answer.headers['retry-after']).toBe('1');
  expect(answer.body).toMatchObject({ code: 'governed_store_unavailable' });
  expect(answer.text).not.toMatch(/ECONNREFUSED|connect|127\.0\.0\.1/);
}

/** A store at a port where none is. */
function nowhere(connectionString: string): string {
  const url = new URL(connectionString);
  url.port = '1';
  return url.href;
}
