import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { Pool } from 'undici';

import { freePort } from './free-port.js';
import type { Server } from './postgres.js';
import type { Stops } from '../../src/stops.js';

/** The built gate in a process of its own, open on loopback. */
export interface Gate {
  readonly pid: number;
  /** Sends a request over one of as many connections as there are clients; resolves with the answer's body. */
  ask(method: 'POST' | 'PUT', path: string, body: object): Promise<GateAnswer>;
}

export interface GateAnswer {
  readonly status: number;
  readonly text: string;
}

export interface GateOptions {
  readonly stops: Stops;
  /** Options of Node itself. */
  readonly node?: readonly string[];
}

const program = fileURLToPath(new URL('../../dist/server.js', import.meta.url));
const startPatience = 60_000;

export async function startGate(
  { directory, connectionString }: Pick<Server, 'directory' | 'connectionString'>,
  { stops, node = [] }: GateOptions,
): Promise<Gate> {
  const port = await freePort();
  const logFile = join(directory, `gate-${port}.log`);
  const { PATH, HOME, WORKERS } = process.env;
  const child = spawn(process.execPath, [...node, program], {
    env: {
      PATH,
      HOME,
      ...(WORKERS !== undefined && { WORKERS }),
      PORT: String(port),
      DATABASE_URL: connectionString,
      CONTINUITY_DATA_DIR: directory,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.pipe(createWriteStream(logFile));
  const ended = once(child, 'exit');
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 128, pipelining: 1 });
  stops.push(async () => {
    await pool.close();
    child.kill('SIGTERM');
    await ended;
  });
  try {
    await untilHealthy(pool, () => child.exitCode !== null);
  } catch (error) {
    throw new Error(`The gate does not start:\n${await readFile(logFile, 'utf8')}`, { cause: error });
  }
  return { pid: child.pid ?? NaN, ask: (...request) => send(pool, ...request) };
}

async function send(pool: Pool, method: 'POST' | 'PUT', path: string, body: object): Promise<GateAnswer> {
  const answer = await pool.request({
    method,
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}

async function untilHealthy(pool: Pool, hasEnded: () => boolean): Promise<void> {
  const deadline = Date.now() + startPatience;
  for (;;) {
    const answer = await pool.request({ method: 'GET', path: '/healthz' }).catch(() => undefined);
    await answer?.body.dump();
    if (answer?.statusCode === 200) return;
    if (hasEnded() || Date.now() > deadline) throw new Error('It is not healthy');
    await sleep(50);
  }
}
