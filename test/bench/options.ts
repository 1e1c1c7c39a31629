import { Command } from 'commander';

import type { StoreSize } from './load-store.js';
import type { Plan } from './rows.js';

export interface BenchOptions {
  readonly plan: Plan;
  readonly size: StoreSize;
  /** Events of a long session; 0: there are none. */
  readonly longSession: number;
  /** How many times the data a second store holds; 1: there is none. */
  readonly scale: number;
  readonly peer: boolean;
  /** Requests of which the cost is counted; 0: none. */
  readonly counted: number;
  readonly json: string | undefined;
  readonly svg: string | undefined;
  readonly profile: string | undefined;
}

const full: StoreSize = {
  tenants: 50,
  sessions: 10_000,
  attestedSessions: 1_000,
  envelopesPerSession: 10,
  eventsPerSession: 100,
};
const small: StoreSize = { ...full, sessions: 500, attestedSessions: 200 };

export function readOptions(argv: readonly string[]): BenchOptions {
  const given = command.parse(argv).opts<Given>();
  const quick = given.quick === true;
  return {
    plan: {
      clients: given.clients.split(',').map(Number),
      rounds: Number(given.rounds ?? (quick ? 3 : 5)),
      seconds: Number(given.seconds ?? (quick ? 1 : 3)),
    },
    size: quick ? small : full,
    longSession: Number(given.longSession ?? (quick ? 0 : 100_000)),
    scale: Number(given.scale),
    peer: given.peer === true || !quick,
    counted: given.counts === true || !quick ? 600 : 0,
    json: given.json,
    svg: given.svg,
    profile: given.profile,
  };
}

interface Given {
  readonly quick?: true;
  readonly clients: string;
  readonly rounds?: string;
  readonly seconds?: string;
  readonly scale: string;
  readonly longSession?: string;
  readonly peer?: true;
  readonly counts?: true;
  readonly json?: string;
  readonly svg?: string;
  readonly profile?: string;
}

const command = new Command('bench')
  .description('Measures the gate beside the floor on one Postgres, in one run')
  .option('--quick', 'a small store and short rounds: for development')
  .option('--clients <list>', 'how many clients at once', '1,8,32,128')
  .option('--rounds <count>', 'rounds, of which the median is told')
  .option('--seconds <count>', 'length of a round')
  .option('--scale <factor>', 'also compare with a store of so many times the data', '1')
  .option('--long-session <events>', 'events in the log of a long session')
  .option('--peer', 'the checkpoint store of another project as well; always unless --quick')
  .option('--counts', 'statements, flushes and fsyncs a request as well; always unless --quick')
  .option('--json <file>', 'write ratios and rows to a file')
  .option('--svg <file>', 'draw the rates')
  .option('--profile <file>', "write the gate's CPU profile, and tell where both sides spend their time");
