import { afterAll, expect, it } from 'vitest';

import { accessBy, bearer, createSigningKey, mint } from '../../support/identity-provider.js';
import { createTestApp } from '../../support/test-app.js';

const key = await createSigningKey('key-1');
const gate = await createTestApp({ access: accessBy(key), metricsAccess: 'direct' });

afterAll(() => gate.close());

const metrics = (headers: Record<string, string> = {}) => gate.inject({ url: '/metrics', headers });

it('on loopback, are for everyone on this machine', async () => {
  expect((await metrics()).status).toBe(200);
});

it.each([
  ['forwarded', 'for=192.0.2.1'],
  ['via', '1.1 proxy'],
  ['x-forwarded-for', '192.0.2.1'],
  ['X-Forwarded-Host', 'gate.example'],
  ['x-forwarded-proto', 'https'],
  ['x-forwarded', ''],
  ['x-real-ip', '192.0.2.1'],
  ['x-envoy-external-address', '192.0.2.1'],
  ['x-original-forwarded-for', '192.0.2.1'],
  ['cf-connecting-ip', '192.0.2.1'],
])('are not for everyone whom a proxy on this machine lets in, by %s', async (header, value) => {
  expect((await metrics({ [header]: value })).status).toBe(401);
  const token = await mint(key, { scope: 'trace:read' });
  expect((await metrics({ [header]: value, ...bearer(token) })).status).toBe(200);
  const other = await mint(key, { scope: 'records:read' });
  expect((await metrics({ [header]: value, ...bearer(other) })).status).toBe(403);
});
