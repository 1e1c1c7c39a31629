import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

import { ephemeralReceiptKeys, type ReceiptKeys } from '../../src/receipts/keys.js';
import { joinReplicas } from '../../src/replicas.js';
import { Database } from '../../src/store/database.js';
import { createTestDatabase, query, type TestDatabase } from '../support/database.js';
import { captureLog } from '../support/log-lines.js';

/** Gates on one database, as far as their receipt keys go. */

let store: TestDatabase;
let database: Database;
const leaving: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  store = await createTestDatabase();
  database = new Database({ connectionString: store.connectionString });
});

afterEach(async () => {
  for (const leave of leaving.splice(0)) await leave();
  await query(store.connectionString, 'delete from living_gates');
});

afterAll(async () => {
  await database.close();
  await store.drop();
});

const refused = /name one RECEIPT_KEY_FILE for all of them/;

it('serve together on the same keys', async () => {
  const keys = await ephemeralReceiptKeys();

  await Promise.all([join(keys), join(keys), join(keys)]);

  expect(await living()).toBe(3);
});

it('are refused beside one that shares no key with them, and nothing is said of them', async () => {
  await join(await ephemeralReceiptKeys());

  await expect(join(await ephemeralReceiptKeys())).rejects.toThrow(refused);

  expect(await living()).toBe(1);
});

it('are let in one at a time: of two with different keys at the same moment one is refused', async () => {
  const both = await Promise.allSettled([
    join(await ephemeralReceiptKeys()),
    join(await ephemeralReceiptKeys()),
  ]);

  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

it('may start as soon as one with other keys has left, or its last word has run out', async () => {
  const first = await join(await ephemeralReceiptKeys());
  const log = captureLog();
  const waiting = join(await ephemeralReceiptKeys(), log, 20_000);
  await expect.poll(() => log.text()).toContain('has other receipt keys; waiting');
  await first.leave();
  await (await waiting).leave();

  await join(await ephemeralReceiptKeys());
  await query(store.connectionString, `update living_gates set seen_at = seen_at - interval '31 seconds'`);
  await join(await ephemeralReceiptKeys());
});

it('are told when only one of two publishes the key that the other signs with, as in a rotation', async () => {
  const [old, fresh] = [await ephemeralReceiptKeys(), await ephemeralReceiptKeys()];
  const both = { ...fresh, jwks: { keys: [...fresh.jwks.keys, ...old.jwks.keys] } };
  const log = captureLog();
  await join(old);

  await join(both, log);

  expect(log.text()).toContain('does not publish the key that this one signs with');
});

async function join(keys: ReceiptKeys, log = captureLog(), patienceMs = 0) {
  const replica = await joinReplicas(database, keys, log.logger, patienceMs);
  leaving.push(() => replica.leave());
  return replica;
}

async function living(): Promise<number> {
  return (await query(store.connectionString, 'select from living_gates')).length;
}
