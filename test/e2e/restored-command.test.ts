import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { copyDatabase, createTestDatabase, query, type TestDatabase } from '../support/database.js';
import { writeMatchingRecords } from '../support/records.js';
import { requestsOf } from '../support/requests.js';
import { runCli } from '../support/run-cli.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const before = requestsOf('sealed-before-the-backup');
const after = requestsOf('sealed-after-the-backup');

/** One store, its backup, and what an operator does when it comes back. */
describe('a store that was restored from a backup', () => {
  let directory: string;
  let lost: TestDatabase;
  let restored: TestDatabase;
  let gate: TestApp;
  let said: string;
  let incarnations: string[];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'continuity-gate-anchors-'));
    lost = await createTestDatabase();
    await serving(lost, async (app) => {
      await writeMatchingRecords(app, before);
      await app.seal(before.sealRequest());
    });
    await anchors(lost, 'export', '--output', join(directory, 'early.json'));
    restored = await copyDatabase(lost);
    await serving(lost, async (app) => {
      await app.rehydrate(before.rehydrateRequest({ current_state: undefined }));
      await writeMatchingRecords(app, after);
      await app.seal(after.sealRequest());
    });
    await anchors(lost, 'export', '--output', join(directory, 'late.json'));
    const earlier = await incarnationOf(restored);
    const run = await runCli(['restored'], { DATABASE_URL: restored.connectionString });
    said = run.stdout;
    incarnations = [earlier, await incarnationOf(restored)];
    gate = await createTestApp({ connectionString: restored.connectionString });
  });

  afterAll(async () => {
    await gate.close();
    await Promise.all([lost.drop(), restored.drop(), rm(directory, { recursive: true })]);
  });

  it('begins a new incarnation', () => {
    expect(new Set(incarnations).size).toBe(2);
    expect(said).toBe(`Incarnation ${incarnations[1]}: 1 sessions moved on to a new epoch.\n`);
  });

  it('fences off whoever held a session before, and tells so in its chain', async () => {
    const { tenant_id, session_id } = before;
    const epoch = await gate.get(`/tenants/${tenant_id}/sessions/${session_id}/epoch`);
    expect(epoch.body).toMatchObject({ session_epoch: 1, held_by: 'continuity-gate restored' });
    const stale = await gate.rehydrate(
      before.rehydrateRequest({ current_state: undefined, session_epoch: 0 }),
    );
    expect(stale.body).toMatchObject({ reason: 'stale_epoch' });
    const [event] = (await gate.storedEvents(before)).filter(
      ({ event_type }) => event_type === 'store_restored',
    );
    expect(event).toMatchObject({
      actor: 'continuity-gate restored',
      payload: { incarnation: incarnations[1], previous_incarnation: incarnations[0], session_epoch: 1 },
    });
    const integrity = await gate.get(`/tenants/${tenant_id}/sessions/${session_id}/trace-integrity`);
    expect(integrity.body).toMatchObject({ intact: true });
  });

  it('still holds the anchors that are older than the backup', async () => {
    const check = await anchors(restored, 'check', join(directory, 'early.json'));
    expect([check.exitCode, JSON.parse(check.stdout)]).toMatchObject([0, { broken: [] }]);
  });

  it('is found to have lost the ends of its chains, by anchors that are younger', async () => {
    const check = await anchors(restored, 'check', join(directory, 'late.json'));
    expect(check.exitCode).toBe(1);
    const { broken } = JSON.parse(check.stdout) as { broken: { session_id: string; fault: string }[] };
    expect(broken.map(({ session_id, fault }) => `${session_id} ${fault}`)).toEqual(
      expect.arrayContaining([`${before.session_id} changed`, `${after.session_id} missing`]),
    );
  });

  it('refuses a file that is no export', async () => {
    const check = await anchors(restored, 'check', new URL('../../package.json', import.meta.url).pathname);
    expect(check).toMatchObject({ exitCode: 1, stdout: '' });
    expect(check.stderr).toMatch(/^The anchors could not be checked: [^\n]*\n$/);
  });
});

async function serving(store: TestDatabase, work: (app: TestApp) => Promise<void>): Promise<void> {
  const app = await createTestApp({ connectionString: store.connectionString });
  await work(app);
  await app.close();
}

function anchors(store: TestDatabase, ...words: string[]) {
  return runCli(['anchors', ...words], { DATABASE_URL: store.connectionString });
}

async function incarnationOf({ connectionString }: TestDatabase): Promise<string> {
  const [row] = await query(connectionString, 'select current_incarnation()::text as incarnation');
  return (row as { incarnation: string }).incarnation;
}
