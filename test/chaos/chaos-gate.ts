import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Gate } from '../races/gates.js';

/** A gate in a process of its own. */
export interface Running {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Starts the process of a gate, whose clock is off by so many milliseconds. */
export type Launch = (clockOffsetMs: number) => Promise<Running>;

const startPatience = 60_000;

/** A gate whose process comes and goes. */
export class ChaosGate implements Gate {
  readonly #launch: Launch;
  #running: Running | undefined;
  #url = 'http://127.0.0.1:1';

  constructor(launch: Launch) {
    this.#launch = launch;
  }

  /** Where it listens, or did when it last ran. */
  get url(): string {
    return this.#url;
  }

  async start(clockOffsetMs = 0): Promise<void> {
    const deadline = Date.now() + startPatience;
    for (;;) {
      try {
        this.#running = await this.#launch(clockOffsetMs);
        this.#url = this.#running.url;
        return;
      } catch (error) {
        // Its store may be away at this moment, or full.
        if (Date.now() > deadline) throw error;
        await sleep(200);
      }
    }
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Asks it to stop, as everything does that manages services, and returns its exit code. */
  terminate(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  /** Lets it stand still, as a machine does that is moved or out of memory, and go on as if no time had passed. */
  async pause(milliseconds: number): Promise<void> {
    const child = this.#running?.child;
    child?.kill('SIGSTOP');
    await sleep(milliseconds);
    child?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.kill();
  }

  /** Whether it says that it can serve. */
  async isReady(): Promise<boolean> {
    const answer = await fetch(`${this.#url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(
      () => undefined,
    );
    await answer?.text().catch(() => undefined);
    return answer?.status === 200;
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#running?.child;
    if (child?.exitCode !== null || child.signalCode !== null) return null;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    return child.exitCode;
  }
}
