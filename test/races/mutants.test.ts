import { expect, it } from 'vitest';

import { groupBy, type PromiseName } from './history.js';
import { runRaces } from './run-races.js';
import type { Mutant } from './worker.js';

/** How often a mutant may get away; each try is some dozens of races. */
const tries = 10;

const mutants: readonly { mutant: Mutant; version: string; breaks: PromiseName[] }[] = [
  {
    mutant: 'no_lock',
    version: 'in which the lock is taken out',
    breaks: ['broken_chain', 'epoch_order', 'chain_order'],
  },
  {
    mutant: 'read_before_lock',
    version: 'that reads the state before it has the lock',
    breaks: ['chain_order'],
  },
  {
    mutant: 'stale_reads',
    version: 'that remembers what it has read',
    breaks: ['go_after_stop', 'record_revisions', 'chain_order'],
  },
];

const named = mutants.map((one) => [one.version, one] as const);

it.each(named)('catches a version %s', { timeout: 300_000 }, async (_, { mutant, breaks }) => {
  const broken = new Set<PromiseName>();
  for (let attempt = 1; attempt <= tries && !breaks.every((name) => broken.has(name)); attempt += 1) {
    const { races, violations } = await runRaces({ mutant, processes: 2, sessions: 4, atOnce: 4 });
    const byPromise = groupBy(violations, ({ promise }) => promise);
    const counts = [...byPromise].map(([name, { length }]) => `${name} ${length}`);
    console.log(`${mutant}: ${races} races, violations: ${counts.join(', ')}`);
    for (const name of byPromise.keys()) broken.add(name);
  }
  expect([...broken]).toEqual(expect.arrayContaining(breaks));
});
