import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { ChaosGate, type Running } from './chaos-gate.js';
import { Disk } from './disk.js';
import type { Fault, Weights } from './faults.js';
import { killServer } from './postgres.js';
import type { System } from './system.js';

const weights = {
  gate_killed: 3,
  gate_terminated: 2,
  gate_paused: 2,
  postgres_killed: 5,
  gate_and_postgres_killed: 3,
  disk_full: 2,
} satisfies Weights<string>;

type Kind = keyof typeof weights;

export interface EmbeddedOptions {
  readonly directory: string;
  /** How the gate is started on a data directory. */
  readonly launch: (dataDirectory: string) => Promise<Running>;
}

/** One gate with a Postgres of its own, which it is to start again whatever ends it. */
export class Embedded implements System<Kind> {
  readonly name = 'one gate with its embedded Postgres';
  readonly gates: readonly [ChaosGate];
  readonly weights: Weights<Kind> = weights;
  readonly faulty: string[] = [];
  readonly #disk: Disk;
  #connectionString = '';

  private constructor({ launch }: EmbeddedOptions, disk: Disk) {
    this.#disk = disk;
    this.gates = [new ChaosGate(() => launch(disk.path))];
  }

  static async start(options: EmbeddedOptions): Promise<Embedded> {
    const system = new Embedded(options, await Disk.make(join(options.directory, 'data')));
    await system.gates[0].start();
    await system.settled();
    return system;
  }

  get connectionString(): string {
    return this.#connectionString;
  }

  get skipped(): Kind[] {
    return this.#disk.canBeFilled ? [] : ['disk_full'];
  }

  get up(): readonly ChaosGate[] {
    return this.gates;
  }

  async settled(): Promise<void> {
    const text = await readFile(join(this.#home, 'pg_service.conf'), 'utf8');
    const [port, password] = ['port', 'password'].map(
      (name) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1],
    );
    this.#connectionString = `postgresql://continuity_gate:${password}@127.0.0.1:${port}/continuity_gate?sslmode=disable`;
  }

  inflict(fault: Fault<Kind>): Promise<void> {
    return this.#faults[fault.kind](fault);
  }

  async stop(): Promise<void> {
    await this.gates[0].terminate();
    await this.#disk.remove();
  }

  readonly #faults: Readonly<Record<Kind, (fault: Fault) => Promise<void>>> = {
    gate_killed: async () => {
      await this.gates[0].kill();
      await this.gates[0].start();
    },
    gate_terminated: async () => {
      const exitCode = await this.gates[0].terminate();
      if (exitCode !== 0) this.faulty.push(`A gate that was asked to stop ended with ${String(exitCode)}`);
      await this.gates[0].start();
    },
    gate_paused: ({ ms }) => this.gates[0].pause(2 * ms),
    postgres_killed: () => this.#killPostgres(),
    gate_and_postgres_killed: async () => {
      await Promise.all([this.gates[0].kill(), this.#killPostgres()]);
      await this.gates[0].start();
    },
    disk_full: async ({ ms }) => {
      await this.#disk.fill();
      await sleep(2 * ms);
      await this.#disk.empty();
    },
  };

  async #killPostgres(): Promise<void> {
    const file = await readFile(join(this.#home, 'cluster/postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number(file.split('\n')[0]);
    if (pid > 0) await killServer(pid);
  }

  get #home(): string {
    return join(this.#disk.path, 'postgres');
  }
}
