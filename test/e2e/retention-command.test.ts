import { afterAll, beforeAll, expect, it } from 'vitest';

import { createTestDatabase, query, type TestDatabase } from '../support/database.js';
import { runCli } from '../support/run-cli.js';

let store: TestDatabase;

beforeAll(async () => {
  store = await createTestDatabase();
  await query(
    store.connectionString,
    `create table trace_events_2020_01 partition of trace_events
     for values from ('2020-01-01Z') to ('2020-02-01Z')`,
  );
});

afterAll(() => store.drop());

const retention = (...args: string[]) =>
  runCli(['retention', ...args], { DATABASE_URL: store.connectionString });

const isThere = async () => {
  const [row] = await query(store.connectionString, `select to_regclass('trace_events_2020_01') as name`);
  return (row as { name: string | null }).name !== null;
};

const listed = /^ {2}trace_events_2020_01: 0 events, \d+ bytes$/m;

it('says what would go, and drops nothing, by --dry-run', async () => {
  const run = await retention('--before', '2020-02-01', '--dry-run', '--yes');

  expect(run.exitCode).toBe(0);
  expect(run.stdout).toMatch(/^Would be dropped and anchored:$/m);
  expect(run.stdout).toMatch(listed);
  expect(await isThere()).toBe(true);
});

it('says what would go, and drops nothing, without --yes', async () => {
  const run = await retention('--before', '2020-02-01');

  expect(run.exitCode).toBe(1);
  expect(run.stderr).toMatch(/^Nothing was dropped: say --yes to drop and anchor$/m);
  expect(run.stderr).toMatch(listed);
  expect(await isThere()).toBe(true);
});

it.each([['--yes'], ['--dry-run'], []])('refuses a mistyped year, with %s too', async (...flags) => {
  const run = await retention('--before', '2206-03-01', ...flags);

  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain('Nothing was dropped: only months that are over can be dropped');
  expect(await isThere()).toBe(true);
});

it('drops it with --yes, once', async () => {
  expect((await retention('--before', '2020-02-01', '--yes')).stdout).toBe(
    'Dropped and anchored: trace_events_2020_01.\n',
  );
  expect(await isThere()).toBe(false);
  expect((await retention('--before', '2020-02-01', '--yes')).stdout).toBe(
    'There was no partition to drop.\n',
  );
});
