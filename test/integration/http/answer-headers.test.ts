import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { sendRaw } from './raw-http.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

let gate: TestApp;
let port: number;

beforeAll(async () => {
  gate = await createTestApp();
  await gate.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = gate.app.server.address() as AddressInfo);
});

afterAll(() => gate.close());

const run = requestsOf('answer-headers');
const tenant = `/tenants/${run.tenant_id}`;

it.each([
  ['a health check', 'GET', '/healthz'],
  ['the API document', 'GET', '/openapi.json'],
  ['the page of the API', 'GET', '/docs'],
  ['a file of that page', 'GET', '/docs/static/swagger-ui.css'],
  ['the metrics', 'GET', '/metrics'],
  ['what is not there', 'GET', `${tenant}/policy`],
  ['a list', 'GET', `/trace-events?tenant_id=${run.tenant_id}`],
  ['no route', 'GET', '/no/such/route'],
  ['a malformed request', 'POST', '/envelopes'],
  ['a stop', 'POST', '/rehydrate'],
  ['a URL that cannot be decoded', 'GET', '/%zz'],
] as const)('of %s keep it from being kept and from being guessed at', async (_name, method, url) => {
  const { headers } = await gate.app.inject({
    method,
    url,
    ...(method === 'POST' && { headers: { 'content-type': 'application/json' }, payload: '{}' }),
  });

  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-content-type-options']).toBe('nosniff');
});

it('of a boundary and a go keep them from being kept', async () => {
  for (const answer of [await gate.seal(run.sealRequest()), await gate.rehydrate(run.rehydrateRequest())]) {
    expect(answer.status).toBeLessThan(300);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

it('of what is not HTTP are there too', async () => {
  const { headers } = await sendRaw(port, {
    method: 'NON SENSE',
    target: '/',
    headerLines: ['Host: localhost'],
    body: Buffer.alloc(0),
  });

  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-content-type-options']).toBe('nosniff');
});

it('of the public keys of receipts let them be kept, and nothing else', async () => {
  const { headers } = await gate.get('/.well-known/jwks.json');

  expect(headers['cache-control']).toBe('public, max-age=300');
  expect(headers['x-content-type-options']).toBe('nosniff');
});
