import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { Answer } from './answer.js';
import { contractOf, type OpenApiContract } from './openapi-contract.js';

/** The built program in a process of its own; of the environment it sees the given settings alone. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  /** Where it listens. */
  readonly url: string;
  /** Sends a request over the network, and holds the answer to the program's own API document. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  /** What it has written to its log so far. */
  log(): string;
  /** Sends a signal and waits for the end; resolves with the exit code, null if the signal was the end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

type Settings = Readonly<Record<string, string>>;

const builtProgram = fileURLToPath(new URL('../../dist/server.js', import.meta.url));

/** Starts the service on a free port and waits until it listens; another build of it if its program is given. */
export function startService(settings: Settings, program = builtProgram): Promise<ServiceProcess> {
  return launchService(settings, program).started;
}

/** Starts the service on a free port; what it logs can be read while it is still starting. */
export function launchService(settings: Settings, program = builtProgram): LaunchedService {
  const spawned = spawnService({ PORT: '0', ...settings }, program);
  return {
    log: () => spawned.output.text,
    started: untilListening(spawned),
    kill: () => {
      spawned.child.kill('SIGKILL');
    },
  };
}

interface LaunchedService {
  log(): string;
  readonly started: Promise<ServiceProcess>;
  /** Ends it if it is still there. */
  kill(): void;
}

async function untilListening({
  child,
  output,
  ended,
}: ReturnType<typeof spawnService>): Promise<ServiceProcess> {
  const url = await Promise.race([listening(output), ended.then(() => undefined)]);
  if (url === undefined) throw new Error(`The service ended at its start:\n${output.text}`);
  let contract: OpenApiContract | undefined;
  return {
    child,
    url,
    ask: async (method, path, body) => {
      contract ??= contractOf((await (await fetch(`${url}/openapi.json`)).json()) as object);
      const answer = await send(url, method, path, body);
      contract.check(method, path, answer);
      return answer;
    },
    log: () => output.text,
    end: async (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Starts the service with settings that it can't start with, and waits for its end. */
export async function failToStart(settings: Settings): Promise<{ exitCode: number | null; output: string }> {
  const { output, ended } = spawnService(settings);
  return { exitCode: await ended, output: output.text };
}

function spawnService(settings: Settings, program = builtProgram) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [program], {
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output.text += chunk.toString();
    });
  }
  const ended = once(child, 'close').then(() => child.exitCode);
  return { child, output, ended };
}

async function listening(output: { readonly text: string }): Promise<string> {
  for (;;) {
    const url = /"Listening on (http:[^"]+)"/.exec(output.text)?.[1];
    if (url !== undefined) return url;
    await sleep(20);
  }
}

async function send(url: string, method: string, path: string, body: unknown): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  return new Answer(response.status, Object.fromEntries(response.headers), await response.text());
}
