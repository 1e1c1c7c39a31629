import { afterEach, expect, it } from 'vitest';

import { createTestDatabase } from '../support/database.js';
import { prepare, sessionOf, startGates, type Gate, type Session, type Timed } from './gates.js';
import type { Mutant } from './worker.js';

/** Clients that never leave one session, or one tenant's policy, alone. */
const busyClients = 50;

/** Requests of another session, one after the other, that are to be served meanwhile. */
const otherRequests = 25;

/** How many requests of the busy ones may be served for each of the other session's. */
const fairShare = 8;

/** Starving takes its time. */
const timeout = 180_000;

const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const busyWith: Readonly<Record<string, (session: Session, gate: Gate, turn: number) => Promise<Timed>>> = {
  'rehydrations of one session': (session, gate) => session.rehydrate(gate),
  "writes of one tenant's policy": (session, gate, turn) =>
    session.put(gate, 'policy', { set: { '/policy_version': `policy-${turn}` } }),
};

it.each(Object.entries(busyWith))(
  'serves another session through fifty %s',
  { timeout },
  async (name, ask) => {
    const { busy, others, statuses, otherStatuses } = await contend('none', ask);

    console.log(`${busy} ${name} were served meanwhile, ${others} of another session`);
    expect(busy).toBeLessThan(others * fairShare);
    expect(otherStatuses).toEqual(new Set([200]));
    // Whoever waits too long for the busy one is told so, which only a slow machine comes to.
    expect([200, 503]).toEqual(expect.arrayContaining([...statuses]));
  },
);

it('would starve it if every request waited for its session on a connection', { timeout }, async () => {
  const { busy, others } = await contend('no_turns', (session, gate) => session.rehydrate(gate));

  console.log(
    `Without turns ${busy} rehydrations of one session were served meanwhile, ${others} of another`,
  );
  expect(busy).toBeGreaterThan(others * fairShare);
});

/** Counts what is served of the busy one while the other session is served in full. */
async function contend(
  mutant: Mutant,
  ask: (session: Session, gate: Gate, turn: number) => Promise<Timed>,
): Promise<{ busy: number; others: number; statuses: Set<number>; otherStatuses: Set<number> }> {
  const store = await createTestDatabase();
  cleanUps.push(() => store.drop());
  const [gate] = await startGates(1, store.connectionString, mutant);
  if (!gate) throw new Error('There is no gate');
  cleanUps.push(() => gate.stop());
  const [one, other] = [sessionOf('one'), sessionOf('other')];
  await prepare(one, gate);
  await prepare(other, gate);

  const statuses = new Set<number>();
  const otherStatuses = new Set<number>();
  let busy = 0;
  const rest = new AbortController();
  const clients = Array.from({ length: busyClients }, async () => {
    while (!rest.signal.aborted) {
      statuses.add((await ask(one, gate, busy)).status);
      busy += 1;
    }
  });
  await until(() => busy > busyClients);
  const before = busy;
  for (let served = 0; served < otherRequests; served += 1) {
    otherStatuses.add((await other.rehydrate(gate)).status);
  }
  const meanwhile = busy - before;
  rest.abort();
  await Promise.all(clients);
  return { busy: meanwhile, others: otherRequests, statuses, otherStatuses };
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 120_000, interval: 5 }).toBe(true);
}
