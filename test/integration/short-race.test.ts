import { expect, it } from 'vitest';

import { runRaces } from '../races/run-races.js';

it(
  'misses no change that was acknowledged, in a few races on two processes',
  { timeout: 120_000 },
  async () => {
    const { races, violations, deadlocks, rollbacks } = await runRaces({
      processes: 2,
      sessions: 8,
      atOnce: 4,
    });

    expect(violations).toEqual([]);
    expect({ deadlocks, rollbacks }).toEqual({ deadlocks: 0, rollbacks: 0 });
    expect(races).toBeGreaterThan(80);
  },
);
