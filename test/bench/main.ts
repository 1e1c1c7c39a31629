import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { rateChart } from './chart.js';
import { count, startCountingProxy, type Counts } from './counts.js';
import { drive, type Machine } from './drive.js';
import { startGate, type Gate } from './gate.js';
import { loadStore, makeLongSession, type LoadedStore } from './load-store.js';
import { readOptions, type BenchOptions } from './options.js';
import { peerWork } from './peer.js';
import { profilePostgres, readCpuProfile, type Share } from './profile.js';
import { ratiosOf } from './ratios.js';
import { jsonReport, printCounts, printRatios, printRows } from './report.js';
import { interleave, type Contestant, type Row } from './rows.js';
import { addDatabase, startServer, type Server } from './postgres.js';
import { Stops } from '../../src/stops.js';
import { floorWork, gateWorks, inTurn, rehydrateWork } from './works.js';

/** Runs the bench. */
export async function main(argv: readonly string[]): Promise<void> {
  const options = readOptions(argv);
  const stops = new Stops();
  try {
    const bench = await start(options, stops);
    if (options.profile !== undefined) {
      await profile(bench, options.profile);
      return;
    }
    const rows = [
      ...(await compareAll(bench)),
      ...(await compareSessions(bench)),
      ...(await compareStores(bench)),
    ];
    const counts = await countAll(bench);
    const ratios = ratiosOf(rows);
    printRatios(ratios);
    const { json, svg } = options;
    if (json !== undefined)
      await writeFile(json, JSON.stringify(jsonReport(ratios, rows, counts), undefined, 2));
    if (svg !== undefined)
      await writeFile(svg, await rateChart(rows.filter(({ work }) => !work.includes(' '))));
  } finally {
    await stops.run();
  }
}

interface Bench {
  readonly options: BenchOptions;
  readonly stops: Stops;
  readonly server: Server;
  readonly gate: Gate;
  readonly machine: Machine;
  readonly loaded: LoadedStore;
}

async function start(options: BenchOptions, stops: Stops): Promise<Bench> {
  const server = await startServer(stops);
  const gate = await startGate(server, { stops });
  const machine = { gate: gate.pid, postgres: server.pid };
  const loaded = await timed('The store is loaded', () =>
    loadStore(gate, server.connectionString, options.size),
  );
  return { options, stops, server, gate, machine, loaded };
}

/** The floor, the gate and the peer, at each number of clients. */
async function compareAll({ options, stops, server, gate, machine, loaded }: Bench): Promise<Row[]> {
  const { plan } = options;
  const works = [
    await floorWork(server.connectionString, loaded.records, stops),
    ...gateWorks(gate, loaded),
    ...(options.peer ? [await peerWork(server.connectionString, inTurn(loaded.records), stops)] : []),
  ];
  for (const work of works) await drive(work, 8, 1, machine);
  const rows: Row[] = [];
  for (const clients of plan.clients) {
    const some = await interleave(on(machine, works), clients, plan);
    printRows(`${clients} clients`, some);
    rows.push(...some);
  }
  return rows;
}

/** A session with a long log beside one with a short log. */
async function compareSessions({ options, gate, machine, loaded }: Bench): Promise<Row[]> {
  if (options.longSession === 0) return [];
  const long = await timed('The long sessions are made', () =>
    Promise.all(['fffffff1', 'fffffff2'].map((key) => makeLongSession(gate, key, options.longSession))),
  );
  const works = [
    rehydrateWork('short session', gate, loaded.records.slice(0, long.length)),
    rehydrateWork('long session', gate, long),
  ];
  const rows = await interleave(on(machine, works), 1, options.plan);
  printRows(`Logs of ${options.size.eventsPerSession} and of ${options.longSession} events`, rows);
  return rows;
}

/** A store with more data beside the first one, on the same server. */
async function compareStores({ options, stops, server, gate, machine, loaded }: Bench): Promise<Row[]> {
  if (options.scale === 1) return [];
  const connectionString = await addDatabase(server, 'bench_bigger');
  const big = await startGate({ ...server, connectionString }, { stops });
  const size = { ...options.size, sessions: options.size.sessions * options.scale };
  const bigLoaded = await timed('The bigger store is loaded', () => loadStore(big, connectionString, size));
  const contestants = [
    ...on(machine, [rehydrateWork('first store', gate, loaded.records)]),
    ...on({ ...machine, gate: big.pid }, [rehydrateWork('bigger store', big, bigLoaded.records)]),
  ];
  const rows: Row[] = [];
  for (const clients of [1, 32]) {
    const some = await interleave(contestants, clients, options.plan);
    printRows(`${options.scale} times the data, ${clients} clients`, some);
    rows.push(...some);
  }
  return rows;
}

async function countAll({ options, stops, server, loaded }: Bench): Promise<Counts[]> {
  if (options.counted === 0) return [];
  const proxy = await startCountingProxy(server.connectionString, stops);
  const gate = await startGate({ ...server, connectionString: proxy.connectionString }, { stops });
  const works = [await floorWork(proxy.connectionString, loaded.records, stops), ...gateWorks(gate, loaded)];
  const counts: Counts[] = [];
  for (const clients of [1, 32]) {
    counts.push(...(await count(works, clients, options.counted, server.connectionString, proxy)));
  }
  printCounts(counts);
  return counts;
}

/** Where the time of rehydrations goes, with a gate that keeps a profile. */
async function profile({ options, server, loaded }: Bench, keepAs: string): Promise<void> {
  const directory = join(server.directory, 'profile');
  await mkdir(directory);
  const stops = new Stops();
  const gate = await startGate(server, { stops, node: ['--cpu-prof', `--cpu-prof-dir=${directory}`] });
  const machine = { gate: gate.pid, postgres: server.pid };
  const seconds = options.plan.rounds * options.plan.seconds;
  const work = rehydrateWork('rehydrate', gate, loaded.records);
  await drive(work, 32, 1, machine);
  const statements = await profilePostgres(work, 32, seconds, machine, server.connectionString);
  await stops.run();
  printShares('The gate, by the functions themselves', await readCpuProfile(directory, keepAs));
  printShares('Postgres, by statement; those inside functions as well', statements);
}

function printShares(title: string, shares: readonly Share[]): void {
  console.log(`\n${title}`);
  console.table(shares.map((share) => ({ ...share, ms: Math.round(share.ms) })));
}

function on(machine: Machine, works: readonly Omit<Contestant, 'machine'>[]): Contestant[] {
  return works.map((work) => ({ ...work, machine }));
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  console.log(`${what} after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  return result;
}
