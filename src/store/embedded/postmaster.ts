import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './error.js';
import { run } from './run.js';

/** What a server writes about itself into postmaster.pid. */
export interface PostmasterFile {
  readonly pid: number;
  readonly ready: boolean;
}

/** Reads a cluster's postmaster.pid; undefined when there is none, or none that says who wrote it. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(postmasterFile(cluster), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : undefined;
}

/**
 * Stops the server that a killed process has left running, and removes a postmaster.pid that no server stands behind.
 * Postgres itself believes that file as soon as its number belongs to any process, and then refuses to start: after a
 * crash of the machine, or in the next container, that is soon someone else's. Only the folder's owner may call this.
 */
export async function clearLeftover(cluster: string, log: (line: string) => void): Promise<void> {
  const file = await readPostmasterFile(cluster);
  if (file && (await isPostmasterOf(file.pid, cluster))) {
    log(`embedded Postgres: stopping the server (process ${file.pid}) that an earlier run has left`);
    await stopPostmaster(file.pid, async () => !(await isPostmasterOf(file.pid, cluster)));
  } else {
    await rm(postmasterFile(cluster), { force: true });
  }
}

/** Stops a server: fast at first (a checkpoint, then the end), then at once, which the next start recovers from. */
export async function stopPostmaster(pid: number, isGone: () => Promise<boolean>): Promise<void> {
  for (const [signal, seconds] of [
    ['SIGINT', 10],
    ['SIGQUIT', 5],
    ['SIGKILL', 5],
  ] as const) {
    signalIfAlive(pid, signal);
    const end = Date.now() + seconds * 1_000;
    while (Date.now() < end) {
      if (await isGone()) return;
      await sleep(20);
    }
  }
  throw new EmbeddedPostgresError(
    `The Postgres server (process ${pid}) of the embedded store does not stop.`,
  );
}

/** Told by the command line: it names the cluster, every account can read it, and another process's never has it. */
async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const args = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    return args[args.indexOf('-D') + 1] === cluster;
  }
  const command = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => '');
  return command.includes(` -D ${cluster} `);
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function postmasterFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}
