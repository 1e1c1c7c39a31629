import { expect, it } from 'vitest';

import { Embedded } from '../chaos/embedded.js';
import { launchEmbedded, launchMutant, launchReplica } from '../chaos/launch.js';
import { Replicated } from '../chaos/replicated.js';
import { inDirectory, runOn, type ChaosResult } from '../chaos/run-chaos.js';
import type { Mutant } from './worker.js';

/** A short run of `npm run chaos`. */
const seed = 1;

it('loses nothing of four gates through faults of their network, processes, clocks, disk and Postgres', async () => {
  const result = await inDirectory((directory) =>
    runOn(Replicated.start({ directory, launch: launchReplica(directory) }), { seed, seconds: 40, lanes: 3 }),
  );

  tell(result);
  expect(result).toMatchObject({ lost: [], broken: [], wrong: [] });
  expect(Object.keys(result.faults).length).toBeGreaterThan(10);
  expect(result.acknowledged.decisions).toBeGreaterThan(50);
});

it('loses nothing of a gate and its embedded Postgres, whichever is killed', async () => {
  const result = await inDirectory((directory) =>
    runOn(Embedded.start({ directory, launch: launchEmbedded }), { seed, seconds: 20, lanes: 2 }),
  );

  tell(result);
  expect(result).toMatchObject({ lost: [], broken: [], wrong: [] });
  expect(result.acknowledged.decisions).toBeGreaterThan(20);
});

it('would notice a gate that does not wait for the disk', async () => {
  const result = await runMutant('none', '-c synchronous_commit=off');

  tell(result);
  expect(result.lost.length).toBeGreaterThan(0);
});

it('would notice a gate that takes no lock', async () => {
  const result = await runMutant('no_lock');

  tell(result);
  expect(result.broken.length).toBeGreaterThan(0);
});

function runMutant(mutant: Mutant, options?: string): Promise<ChaosResult> {
  return inDirectory((directory) =>
    runOn(
      Replicated.start({
        directory,
        launch: launchMutant(mutant, options),
        // What is not asked for is written as late as Postgres allows.
        settings: { wal_writer_delay: '10s' },
        only: ['postgres_killed'],
        guarded: mutant === 'none',
      }),
      { seed, seconds: 10, lanes: 3 },
    ),
  );
}

function tell({ faults, acknowledged, lost, broken }: ChaosResult): void {
  const count = Object.values(faults).reduce((sum, each) => sum + each.count, 0);
  console.log(`${count} faults, ${lost.length} lost, ${broken.length} broken of`, acknowledged);
}
