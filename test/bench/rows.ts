import { drive, type Machine, type Round, type Work } from './drive.js';
import { medianOf } from './statistics.js';

/** The medians of some rounds of one kind of work at one number of clients. */
export interface Row extends Round {
  readonly work: string;
  readonly clients: number;
}

/** One kind of work, and on which processes it spends CPU. */
export interface Contestant extends Work {
  readonly machine: Machine;
}

export interface Plan {
  readonly clients: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
}

/** Lets all of them do a round each, then another, so that a slow moment of the machine meets all of them alike. */
export async function interleave(
  contestants: readonly Contestant[],
  clients: number,
  { rounds, seconds }: Plan,
): Promise<Row[]> {
  const all = contestants.map(({ name }) => ({ name, rounds: [] as Round[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, contestant] of contestants.entries()) {
      all[index]?.rounds.push(await drive(contestant, clients, seconds, contestant.machine));
    }
  }
  return all.map((one) => ({ work: one.name, clients, ...medianOf(one.rounds, columns) }));
}

export const columns = [
  'rate',
  'p50',
  'p95',
  'p99',
  'gateCpu',
  'postgresCpu',
  'loadCpu',
  'gateMemory',
  'postgresMemory',
] as const satisfies (keyof Round)[];
