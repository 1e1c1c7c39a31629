import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { checkHistory } from '../races/check-history.js';
import type { Exchange, PromiseName, Violation } from '../races/history.js';
import { readStore } from '../races/read-store.js';
import { Clients } from './clients.js';
import { planFaults } from './faults.js';
import type { System } from './system.js';

/** How long a system may take to be normal again. */
const recoveryPatience = 60_000;

export interface ChaosOptions {
  readonly seed: number;
  readonly seconds: number;
  /** How many sessions are lived at the same time. */
  readonly lanes: number;
}

/** What has come of a system. */
export interface ChaosResult {
  readonly system: string;
  readonly faults: Readonly<Record<string, FaultCount>>;
  /** Kinds that could not be inflicted on this machine. */
  readonly skipped: readonly string[];
  readonly sessions: number;
  readonly answers: number;
  /** Answers of 503, and connections that ended without an answer. */
  readonly refused: number;
  readonly closed: number;
  readonly acknowledged: Readonly<Record<'records' | 'reconciliations' | 'envelopes' | 'decisions', number>>;
  /** What was acknowledged and is not there, or not with its event. */
  readonly lost: readonly Violation[];
  /** All other promises that were broken. */
  readonly broken: readonly Violation[];
  /** What else should not have happened. */
  readonly wrong: readonly string[];
}

interface FaultCount {
  count: number;
  /** Until every gate said again that it can serve, from the end of the fault. */
  slowestRecoveryMs: number;
}

/** Runs the faults on a system, and stops it. */
export async function runOn<Kind extends string>(
  starting: Promise<System<Kind>>,
  options: ChaosOptions,
): Promise<ChaosResult> {
  const system = await starting;
  try {
    return await runChaos(system, options);
  } finally {
    await system.stop();
  }
}

/** Does what needs a directory that the account of Postgres can enter, too. */
export async function inDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'continuity-gate-chaos-'));
  await chmod(directory, 0o711);
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Inflicts one fault after the other on a system that is in use, and checks what has come of it. */
async function runChaos<Kind extends string>(
  system: System<Kind>,
  { seed, seconds, lanes }: ChaosOptions,
): Promise<ChaosResult> {
  const clients = new Clients(system.gates, lanes);
  const faults: Record<string, FaultCount> = {};
  const deadline = Date.now() + seconds * 1_000;
  for (const fault of planFaults(system.weights, seed)) {
    if (Date.now() > deadline) break;
    if (system.skipped.includes(fault.kind)) continue;
    await sleep(fault.restMs);
    await system.inflict(fault);
    const recoveryMs = await untilNormal(system);
    const counted = (faults[fault.kind] ??= { count: 0, slowestRecoveryMs: 0 });
    counted.count += 1;
    counted.slowestRecoveryMs = Math.max(counted.slowestRecoveryMs, Math.round(recoveryMs));
  }
  await system.settled();
  await clients.finish();
  const { exchanges, sessions, refused, closed, wrong } = clients;
  const violations = checkHistory(exchanges, await readStore(system.connectionString));
  const isLoss = ({ promise }: Violation) => losses.includes(promise);
  return {
    system: system.name,
    faults,
    skipped: system.skipped,
    sessions,
    answers: exchanges.length,
    refused,
    closed,
    acknowledged: countAcknowledged(exchanges),
    lost: violations.filter(isLoss),
    // The answer to a change that was made may be lost with its connection.
    broken: violations.filter((violation) => !isLoss(violation) && violation.promise !== 'told'),
    wrong: [...wrong, ...system.faulty],
  };
}

const losses: readonly PromiseName[] = ['one_event_per_change', 'kept'];

async function untilNormal({ up }: System): Promise<number> {
  const start = performance.now();
  for (const gate of up) {
    while (!(await gate.isReady())) {
      if (performance.now() - start > recoveryPatience) throw new Error('A gate did not become ready again');
      await sleep(20);
    }
  }
  return performance.now() - start;
}

function countAcknowledged(exchanges: readonly Exchange[]): ChaosResult['acknowledged'] {
  const count = (kind: Exchange['asked']['kind'], isOne: (exchange: Exchange) => boolean) =>
    exchanges.filter((exchange) => exchange.asked.kind === kind && isOne(exchange)).length;
  const isDone = ({ status }: Exchange) => status < 300;
  return {
    records: count('write', isDone),
    reconciliations: count('reconcile', isDone),
    envelopes: count('seal', isDone),
    decisions: count('rehydrate', () => true),
  };
}
