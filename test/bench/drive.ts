import { percentile } from './statistics.js';
import { cpuOf, cpuOfFamily, memoryOf, memoryOfFamily } from './usage.js';

/** One operation under load. */
export interface Work {
  readonly name: string;
  /** Does it once; rejects if it was not done. */
  run(): Promise<void>;
}

/** Whose CPU and memory are counted. */
export interface Machine {
  readonly gate: number;
  /** The server's first process. */
  readonly postgres: number;
}

/** What one round of one kind of work came to; times in milliseconds, memory in MiB. */
export interface Round {
  readonly rate: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** CPU time a request, of each side. */
  readonly gateCpu: number;
  readonly postgresCpu: number;
  /** Of this process, which makes the load; of the floor it is the driver's as well. */
  readonly loadCpu: number;
  readonly gateMemory: number;
  readonly postgresMemory: number;
}

/** Lets as many clients as are asked for do the work, each as soon as its last one is done. */
export async function drive(work: Work, clients: number, seconds: number, machine: Machine): Promise<Round> {
  const latencies: number[] = [];
  const before = await cpuTimes(machine);
  const started = performance.now();
  const end = started + seconds * 1_000;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let begun = performance.now(); begun < end;) {
        await work.run();
        const done = performance.now();
        latencies.push(done - begun);
        begun = done;
      }
    }),
  );
  const elapsed = (performance.now() - started) / 1_000;
  const after = await cpuTimes(machine);
  const count = latencies.length;
  return {
    rate: count / elapsed,
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    gateCpu: (after.gate - before.gate) / count,
    postgresCpu: (after.postgres - before.postgres) / count,
    loadCpu: (after.load - before.load) / count,
    gateMemory: await memoryOf(machine.gate),
    postgresMemory: await memoryOfFamily(machine.postgres),
  };
}

async function cpuTimes({ gate, postgres }: Machine) {
  const { user, system } = process.cpuUsage();
  return { gate: await cpuOf(gate), postgres: await cpuOfFamily(postgres), load: (user + system) / 1_000 };
}
