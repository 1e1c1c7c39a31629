import { writeFile } from 'node:fs/promises';

import { Command, InvalidArgumentError } from 'commander';

import { Embedded } from './embedded.js';
import { launchEmbedded, launchReplica } from './launch.js';
import { Replicated } from './replicated.js';
import { inDirectory, runOn, type ChaosResult } from './run-chaos.js';

/** Of the time, for the gate with its embedded Postgres. */
const embeddedShare = 0.2;

/** Runs both systems one after the other and says what has come of them; returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const { seed, seconds, json } = command
    .parse(argv)
    .opts<{ seed: number; seconds: number; json?: string }>();
  const results = [
    await inDirectory((directory) =>
      runOn(Replicated.start({ directory, launch: launchReplica(directory) }), {
        seed,
        seconds: seconds * (1 - embeddedShare),
        lanes: 3,
      }),
    ),
    await inDirectory((directory) =>
      runOn(Embedded.start({ directory, launch: launchEmbedded }), {
        seed,
        seconds: seconds * embeddedShare,
        lanes: 2,
      }),
    ),
  ];
  for (const result of results) print(result);
  if (json !== undefined) await writeFile(json, JSON.stringify({ seed, seconds, results }, undefined, 2));
  return results.every(({ lost, broken, wrong }) => lost.length + broken.length + wrong.length === 0) ? 0 : 1;
}

function print({ system, faults, skipped, acknowledged, lost, broken, wrong, ...counts }: ChaosResult): void {
  const sum = Object.values(faults).reduce((total, { count }) => total + count, 0);
  console.log(`\n${system}: ${sum} faults, ${lost.length} lost, ${broken.length} promises broken`);
  console.table(faults);
  if (skipped.length > 0) console.log(`Not inflicted here: ${skipped.join(', ')}`);
  console.log(counts, 'acknowledged:', acknowledged);
  for (const fault of [...lost, ...broken].slice(0, 20)) console.log(fault);
  for (const fault of new Set(wrong.slice(0, 20))) console.log(fault);
}

function wholeNumber(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('a whole number from 1');
  return Number(text);
}

const command = new Command('chaos')
  .description(
    'Breaks gates and their Postgres in every way while they are used, and checks that nothing is lost',
  )
  .option('--seed <number>', 'the same faults in the same order for the same number', wholeNumber, 1)
  .option('--seconds <count>', 'for how long', wholeNumber, 300)
  .option('--json <file>', 'write what came of it to a file');
