import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { Mutant } from './mutants.js';
import type { WorkerOptions } from './worker.js';

/** A gate that serves on a port of its own. */
export interface Gate {
  readonly url: string;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('start-worker.js', import.meta.url));

/** Starts several gates over one database; each has its own process and its own pool. */
export function startGates(
  count: number,
  connectionString: string,
  mutant: Mutant = 'none',
): Promise<Gate[]> {
  return Promise.all(Array.from({ length: count }, () => startGate({ connectionString, mutant })));
}

async function startGate(options: WorkerOptions): Promise<Gate> {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const first = await Promise.race([once(lines, 'line'), ended]);
  if (typeof first[0] !== 'string') throw new Error('A gate ended before it served anything');
  const { url } = JSON.parse(first[0]) as { url: string };
  return {
    url,
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
