import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startService } from '../support/service-process.js';

let store: TestDatabase;
let directory: string;

beforeAll(async () => {
  store = await createTestDatabase();
  directory = await mkdtemp(join(tmpdir(), 'continuity-gate-open-'));
});

afterAll(async () => {
  await store.drop();
  await rm(directory, { recursive: true });
});

it.each([
  ['on loopback', {}],
  ['beyond loopback on purpose', { HOST: '0.0.0.0', AUTH_OPEN: 'yes' }],
])('warns loudly that it is open %s', async (_where, settings) => {
  const service = await start(settings);
  await service.end('SIGTERM');

  const warnings = service
    .log()
    .split('\n')
    .filter((line) => line.includes('NO IDENTITY PROVIDER IS CONFIGURED'));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('"level":40');
});

it('does not start open beyond loopback unless someone meant it', async () => {
  await expect(start({ HOST: '0.0.0.0' })).rejects.toThrow(
    /^The service ended at its start:\nThe settings are not usable:\n {2}HOST is 0\.0\.0\.0, beyond loopback, .* AUTH_OPEN=yes/,
  );
});

function start(settings: Readonly<Record<string, string>>) {
  return startService({
    DATABASE_URL: store.connectionString,
    CONTINUITY_DATA_DIR: directory,
    ...settings,
  });
}
