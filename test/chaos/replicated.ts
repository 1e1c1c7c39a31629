import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import { migrate } from '../../src/store/migrate.js';
import { query } from '../support/database.js';
import { setHeadGuards } from '../support/head-guards.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { ChaosGate, type Running } from './chaos-gate.js';
import type { Fault, Weights } from './faults.js';
import { Postgres, type Settings } from './postgres.js';
import type { System } from './system.js';

/** Gates on one database. */
const gateCount = 4;

/** Longer than the gate waits for an answer of its store. */
const tooLong = 7_000;

const anHour = 3_600_000;

export interface ReplicatedOptions {
  readonly directory: string;
  /** How each gate is started on a store, with a clock that is off by so much. */
  readonly launch: (connectionString: string, clockOffsetMs: number) => Promise<Running>;
  readonly settings?: Settings;
  /** Whether the guards of heads refuse what a faulty gate writes; they do by default. */
  readonly guarded?: boolean;
  /** The only faults, if not all. */
  readonly only?: readonly Kind[];
}

const weights = {
  connections_dropped: 12,
  connection_terminated: 12,
  connections_refused: 5,
  connections_frozen: 4,
  connections_slow: 4,
  pool_full: 3,
  gate_killed: 5,
  gate_terminated: 3,
  gate_paused: 4,
  one_gate_killed_one_paused: 2,
  clock_an_hour_off: 2,
  postgres_killed: 3,
  postgres_restarted: 2,
  standby_promoted: 1,
  disk_full: 1,
} satisfies Weights<string>;

type Kind = keyof typeof weights;

/** Four gates on a Postgres with a synchronous standby, each by way of a network of its own. */
export class Replicated implements System<Kind> {
  readonly name = 'four gates, a Postgres and its standby';
  readonly gates: readonly ChaosGate[];
  readonly weights: Weights<Kind>;
  readonly faulty: string[] = [];
  readonly #directory: string;
  readonly #proxies: readonly TcpProxy[];
  #primary: Postgres;
  #standby: Postgres;
  #servers = 2;
  /** Gates whose processes are being started again. */
  readonly #starting = new Map<ChaosGate, Promise<void>>();

  private constructor(
    { directory, launch, only }: ReplicatedOptions,
    primary: Postgres,
    standby: Postgres,
    proxies: readonly TcpProxy[],
  ) {
    this.#directory = directory;
    this.weights = only
      ? (Object.fromEntries(only.map((kind) => [kind, weights[kind]])) as Weights<Kind>)
      : weights;
    this.#primary = primary;
    this.#standby = standby;
    this.#proxies = proxies;
    this.gates = proxies.map(
      (proxy) => new ChaosGate((clockOffsetMs) => launch(proxy.connectionString, clockOffsetMs)),
    );
  }

  static async start(options: ReplicatedOptions): Promise<Replicated> {
    const primary = await Postgres.make(join(options.directory, 'server-1'), options.settings);
    await migrate(primary.connectionString);
    if (options.guarded === false) await setHeadGuards(primary.connectionString, 'disable');
    const standby = await Postgres.standbyOf(primary, join(options.directory, 'server-2'));
    const proxies = await Promise.all(
      Array.from({ length: gateCount }, () => startTcpProxy(primary.connectionString)),
    );
    const system = new Replicated(options, primary, standby, proxies);
    await Promise.all(system.gates.map((gate) => gate.start()));
    return system;
  }

  get connectionString(): string {
    return this.#primary.connectionString;
  }

  get skipped(): Kind[] {
    return this.#primary.disk.canBeFilled ? [] : ['disk_full'];
  }

  inflict(fault: Fault<Kind>): Promise<void> {
    return this.#faults[fault.kind](fault);
  }

  async settled(): Promise<void> {
    await Promise.all(this.#starting.values());
  }

  get up(): readonly ChaosGate[] {
    return this.gates.filter((gate) => !this.#starting.has(gate));
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.#starting.values());
    await Promise.all(this.gates.map((gate) => gate.kill()));
    await Promise.all(this.#proxies.map((proxy) => proxy.close()));
    await Promise.all([this.#primary.remove(), this.#standby.remove()]);
  }

  readonly #faults: Readonly<Record<Kind, (fault: Fault) => Promise<void>>> = {
    connections_dropped: (fault) => {
      this.#proxy(fault).drop();
      return Promise.resolve();
    },
    connection_terminated: async () => {
      await query(this.connectionString, terminateOne);
    },
    connections_refused: async (fault) => {
      await this.#proxy(fault).cut();
      await sleep(fault.ms);
      await this.#proxy(fault).restore();
    },
    connections_frozen: async (fault) => {
      this.#proxy(fault).freeze();
      await sleep(fault.ms > 1_300 ? tooLong : fault.ms);
      await this.#proxy(fault).restore();
    },
    connections_slow: async (fault) => {
      this.#proxy(fault).slow(fault.ms / 15);
      await sleep(1_000);
      await this.#proxy(fault).restore();
    },
    pool_full: async ({ ms }) => {
      // Every transaction waits for a head, on a connection of its gate's.
      const client = new Client({ connectionString: this.connectionString });
      client.on('error', () => undefined);
      await client.connect();
      await client.query('begin');
      await client.query('lock table session_heads in exclusive mode');
      await sleep(2 * ms);
      await client.end();
    },
    gate_killed: async (fault) => {
      const gate = await this.#gate(fault);
      await gate.kill();
      this.#startAgain(gate);
    },
    gate_terminated: async (fault) => {
      const gate = await this.#gate(fault);
      const exitCode = await gate.terminate();
      if (exitCode !== 0) this.faulty.push(`A gate that was asked to stop ended with ${String(exitCode)}`);
      this.#startAgain(gate);
    },
    gate_paused: async (fault) => (await this.#gate(fault)).pause(2 * fault.ms),
    one_gate_killed_one_paused: async (fault) => {
      const gate = await this.#gate(fault);
      const paused = (await this.#gate({ ...fault, gate: fault.gate + 1 }, gate)).pause(2 * fault.ms);
      await gate.kill();
      this.#startAgain(gate);
      await paused;
    },
    clock_an_hour_off: async (fault) => {
      const gate = await this.#gate(fault);
      await gate.kill();
      this.#startAgain(gate, fault.ms % 2 === 0 ? anHour : -anHour);
    },
    postgres_killed: async () => {
      await this.#primary.kill();
      await this.#primary.start();
    },
    postgres_restarted: async () => {
      await this.#primary.stop();
      await this.#primary.start();
    },
    standby_promoted: async () => {
      // No failover manager promotes a standby that has not caught up.
      await this.#primary.untilInStep();
      await this.#primary.kill();
      await this.#standby.promote();
      for (const proxy of this.#proxies) {
        proxy.lead(this.#standby.connectionString);
        proxy.drop();
      }
      await this.#primary.remove();
      this.#primary = this.#standby;
      this.#servers += 1;
      this.#standby = await Postgres.standbyOf(
        this.#primary,
        join(this.#directory, `server-${this.#servers}`),
      );
    },
    disk_full: async ({ ms }) => {
      await this.#primary.disk.fill();
      await sleep(2 * ms);
      await this.#primary.disk.empty();
      await this.#primary.start();
    },
  };

  #proxy({ gate }: Fault): TcpProxy {
    const proxy = this.#proxies[gate % gateCount];
    if (!proxy) throw new Error('There is no such gate');
    return proxy;
  }

  /** One that runs, the given one if it does. */
  async #gate({ gate }: Fault, except?: ChaosGate): Promise<ChaosGate> {
    for (;;) {
      const order = [...this.gates.slice(gate % gateCount), ...this.gates.slice(0, gate % gateCount)];
      const chosen = order.find((each) => !this.#starting.has(each) && each !== except);
      if (chosen) return chosen;
      await Promise.race(this.#starting.values());
    }
  }

  #startAgain(gate: ChaosGate, clockOffsetMs = 0): void {
    const started = gate
      .start(clockOffsetMs)
      .catch((error: unknown) => this.faulty.push(`A gate did not start again: ${String(error)}`))
      .then(() => {
        this.#starting.delete(gate);
      });
    this.#starting.set(gate, started);
  }
}

const terminateOne = `
  select pg_terminate_backend(pid) from (
    select pid from pg_stat_activity
    where datname = current_database() and application_name = 'continuity-gate'
    order by state <> 'idle' desc, random() limit 1
  ) as chosen`;
