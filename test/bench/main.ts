import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Command } from 'commander';
import { Client } from 'pg';

import { startEmbeddedPostgres } from '../../src/store/embedded-postgres.js';
import { drive, type Machine, type Round, type Work } from './drive.js';
import { startGate } from './gate.js';
import { loadStore, type StoreSize } from './load-store.js';
import { medianOf } from './statistics.js';
import { parentOf } from './usage.js';
import { floorWork, gateWorks } from './works.js';

const full: StoreSize = {
  tenants: 50,
  sessions: 10_000,
  attestedSessions: 1_000,
  envelopesPerSession: 10,
  eventsPerSession: 100,
};
const small: StoreSize = { ...full, sessions: 1_000, attestedSessions: 300 };

/** Runs the bench; returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const command = new Command('bench')
    .description('Measures the gate beside the floor, on one Postgres, in one run')
    .option('--quick', 'a small store and short rounds: for development')
    .option('--clients <list>', 'how many clients at once', '1,8,32,128')
    .option('--rounds <count>', 'rounds of which the median is told')
    .option('--seconds <count>', 'length of a round')
    .parse(argv);
  const options = command.opts<{ quick?: true; clients: string; rounds?: string; seconds?: string }>();
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const directory = await mkdtemp(join(tmpdir(), 'continuity-gate-bench-'));
    stops.push(() => rm(directory, { recursive: true, force: true }));
    await chmod(directory, 0o711);
    const store = await startEmbeddedPostgres({ dataDirectory: directory });
    stops.push(() => store.stop());
    const gate = await startGate({ directory, connectionString: store.connectionString });
    stops.push(() => gate.stop());
    const started = performance.now();
    const loaded = await loadStore(gate, store.connectionString, options.quick ? small : full);
    console.log(`loaded in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    const floor = await floorWork(store.connectionString, loaded.records);
    stops.push(() => floor.close());
    const works = [floor, ...gateWorks(gate, loaded)];
    const machine = { gate: gate.pid, postgres: await serverPid(store.connectionString) };
    await measure(works, machine, {
      clients: options.clients.split(',').map(Number),
      rounds: Number(options.rounds ?? (options.quick ? 3 : 5)),
      seconds: Number(options.seconds ?? (options.quick ? 1 : 3)),
    });
    return 0;
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function serverPid(connectionString: string): Promise<number> {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const parent = await parentOf(rows[0]?.pid ?? NaN);
  await client.end();
  return parent;
}

interface Plan {
  readonly clients: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
}

async function measure(works: readonly Work[], machine: Machine, plan: Plan): Promise<void> {
  for (const work of works) await drive(work, 8, 1, machine);
  for (const clients of plan.clients) {
    const rounds = works.map((): Round[] => []);
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const [index, work] of works.entries()) {
        rounds[index]?.push(await drive(work, clients, plan.seconds, machine));
      }
    }
    const rows = rounds.map((of) => medianOf(of, columns));
    const floor = rows[0]?.rate ?? NaN;
    console.log(`\n${clients} clients`);
    console.table(
      Object.fromEntries(
        works.map(({ name }, index) => {
          const row = rows[index];
          const shown = columns.map((column) => [column, Number((row?.[column] ?? NaN).toFixed(2))] as const);
          return [
            name,
            { ...Object.fromEntries(shown), ofFloor: Number(((row?.rate ?? NaN) / floor).toFixed(2)) },
          ];
        }),
      ),
    );
  }
}

const columns = [
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
