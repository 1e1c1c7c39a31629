import { afterEach, expect, it } from 'vitest';

import type { RateLimits } from '../../../src/http/plugins/rate-limits.js';
import { accessBy, bearer, createSigningKey, mint } from '../../support/identity-provider.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const key = await createSigningKey('key-1');
const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

it('turns away a token that floods, and serves every other one', async () => {
  const gate = await startGate({ perCaller: 3 });
  const run = requestsOf('served');
  const [flooding, other] = [
    await tokenOf('flooding', 'noisy-tenant'),
    await tokenOf('other', run.tenant_id),
  ];

  const flood = Promise.all(
    Array.from({ length: 300 }, () => rehydrate(gate, requestsOf('noisy'), flooding)),
  );
  const served = await seal(gate, run, other);
  const resumed = await rehydrate(gate, run, other);
  const refused = (await flood).filter(({ status }) => status === 429);

  expect([served.status, resumed.status]).toEqual([201, 422]);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) {
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.body).toMatchObject({
      status: 'continuity_validation_failed',
      reason: 'too_many_requests',
      code: 'too_many_requests',
      authorized: false,
    });
  }
});

it('answers it with problem details on all other routes, and serves it again in the next second', async () => {
  const gate = await startGate({ perCaller: 1 });
  const token = await tokenOf('flooding', 'noisy-tenant');
  const ask = () => gate.inject({ url: '/trace-events?tenant_id=noisy-tenant', headers: bearer(token) });

  const answers = await Promise.all(Array.from({ length: 5 }, ask));

  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.headers['content-type']).toMatch('application/problem+json');
  expect(refused?.body).toMatchObject({ status: 429, code: 'too_many_requests' });
  await expect.poll(async () => (await ask()).status, { timeout: 5_000, interval: 200 }).toBe(200);
});

it('tells two subjects of a tenant apart, and two tenants of a subject', async () => {
  const gate = await startGate({ perCaller: 1 });
  const tokens = await Promise.all([
    tokenOf('one', 'tenant-1'),
    tokenOf('two', 'tenant-1'),
    tokenOf('one', 'tenant-2'),
  ]);

  const answers = await Promise.all(
    tokens.map((token) => gate.inject({ url: '/decisions/x?tenant_id=t', headers: bearer(token) })),
  );

  expect(answers.map(({ status }) => status)).not.toContain(429);
});

it('turns away who guesses tokens from one address, and answers liveness', async () => {
  const gate = await startGate({ perAddress: 2 });

  const answers = await Promise.all(
    Array.from({ length: 6 }, () => gate.inject({ url: '/trace-events', headers: bearer('no.such.token') })),
  );

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
  expect((await gate.inject({ url: '/healthz' })).status).toBe(200);
});

it('limits nobody unless it is told to', async () => {
  const gate = await startGate({});
  const token = await tokenOf('busy', 'busy-tenant');

  const answers = await Promise.all(
    Array.from({ length: 300 }, () =>
      gate.inject({ url: '/decisions/x?tenant_id=t', headers: bearer(token) }),
    ),
  );

  expect(answers.map(({ status }) => status)).not.toContain(429);
});

async function startGate(limits: RateLimits): Promise<TestApp> {
  const gate = await createTestApp({ access: accessBy(key), limits });
  cleanUps.push(() => gate.close());
  return gate;
}

function tokenOf(sub: string, tenant: string): Promise<string> {
  return mint(key, {
    sub,
    tenants: [tenant],
    scope: 'envelopes:write rehydrate trace:read',
  });
}

type Run = ReturnType<typeof requestsOf>;

function seal(gate: TestApp, run: Run, token: string) {
  return gate.inject({
    method: 'POST',
    url: '/envelopes',
    headers: bearer(token),
    payload: run.sealRequest(),
  });
}

function rehydrate(gate: TestApp, run: Run, token: string) {
  return gate.inject({
    method: 'POST',
    url: '/rehydrate',
    headers: bearer(token),
    payload: run.rehydrateRequest({ current_state: undefined }),
  });
}
