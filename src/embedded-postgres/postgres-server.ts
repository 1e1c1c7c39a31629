import { spawn } from 'node:child_process';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import { EmbeddedPostgresError } from './error.js';
import type { Home } from './home.js';
import { choosePort } from './port.js';
import { run, runOptions, type Account } from './run.js';

/** A server that accepts connections on a port of loopback. */
export interface RunningServer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

export interface ServerOptions {
  readonly home: Home;
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  readonly preferredPort: number | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

/**
 * Starts the server and returns when it is ready, however long a recovery takes. Attempts that fail are repeated for
 * some seconds, for what passes by itself: a port taken a moment ago, processes of a killed server that are still
 * about to end, a server that an orphan of a killed start has just brought up.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const log = logPath(options.home);
  await rename(log, `${log}.previous`).catch(() => undefined);
  for (let attempt = 1; ; attempt += 1) {
    await clearLeftover(options);
    const port = await choosePort(options.preferredPort);
    if (await launch(options, port)) return keepRunning(options, port);
    if (attempt === 6)
      throw new EmbeddedPostgresError(`The embedded Postgres does not start: ${await readLog(log)}`);
    await sleep(attempt * 200);
  }
}

/** How often it is checked that the server runs, in milliseconds. */
const watchInterval = 500;

/**
 * Starts a server that has died again, on its port, until it is stopped: the connection string that was given out stays
 * right. What keeps it from starting, such as a full disk, is told and tried again.
 */
function keepRunning(options: ServerOptions, port: number): RunningServer {
  let work: Promise<void> | undefined;
  const restart = async () => {
    if ((await runningServer(options.home.cluster)) !== undefined) return;
    options.log('embedded Postgres: the server has died; starting it again');
    await clearLeftover(options);
    if (!(await launch(options, port)))
      options.log(`embedded Postgres: it does not start: ${await readLog(logPath(options.home))}`);
  };
  const watch = setInterval(() => {
    work ??= restart()
      .catch((error: unknown) => {
        options.log(`embedded Postgres: ${String(error)}`);
      })
      .finally(() => (work = undefined));
  }, watchInterval);
  return {
    port,
    stop: async () => {
      clearInterval(watch);
      await work;
      await stopServer(options);
    },
  };
}

/**
 * Stops the server that a killed process has left running, and removes a postmaster.pid that no server stands behind.
 * Postgres and pg_ctl believe that file as soon as its number belongs to any process: after a crash of the machine, or
 * in the next container, that is soon someone else's. Only the folder's owner may call this.
 */
async function clearLeftover(options: ServerOptions): Promise<void> {
  const { cluster } = options.home;
  const pid = await runningServer(cluster);
  if (pid !== undefined) {
    options.log(`embedded Postgres: stopping the server (process ${pid}) that an earlier run has left`);
    await stopServer(options);
  }
  await rm(postmasterFile(cluster), { force: true });
}

/** Whether the server has become ready; what it says until then is in its log. */
async function launch(options: ServerOptions, port: number): Promise<boolean> {
  const logFile = await open(logPath(options.home), 'w', 0o600);
  const slow = setInterval(() => {
    options.log('embedded Postgres: still starting, probably recovering');
  }, 10_000);
  try {
    if (options.account) await logFile.chown(options.account.uid, options.account.gid);
    const command = serverArguments(options, port).map(quoteForShell).join(' ');
    return await pgCtl(options, ['start', '--wait', '--timeout=86400', '--options', command], logFile.fd);
  } finally {
    clearInterval(slow);
    await logFile.close();
  }
}

/** Stops a server: fast at first (a checkpoint, then the end), then at once, which the next start recovers from. */
async function stopServer(options: ServerOptions): Promise<void> {
  const { cluster } = options.home;
  for (const mode of ['fast', 'immediate']) {
    if ((await runningServer(cluster)) === undefined) return;
    await pgCtl(options, ['stop', '--wait', '--timeout=10', '--mode', mode], 'ignore');
  }
  const pid = await runningServer(cluster);
  if (pid === undefined) return;
  throw new EmbeddedPostgresError(
    `The Postgres server (process ${pid}) of the embedded store does not stop.`,
  );
}

/** Runs pg_ctl to its end and returns whether it succeeded. */
function pgCtl(
  { home, binaries, account }: ServerOptions,
  args: readonly string[],
  output: number | 'ignore',
): Promise<boolean> {
  const { env, ...options } = runOptions(account);
  const child = spawn(binaries.pgCtl, ['--silent', ...args], {
    ...options,
    // Not as --pgdata, which pg_ctl passes to a shell between double quotes.
    env: { ...env, PGDATA: home.cluster },
    // In a session of its own: Ctrl-C in a terminal is for us, and we stop the server when our requests are done.
    detached: true,
    stdio: ['ignore', output, output],
  });
  return new Promise((resolve) => {
    child.once('error', () => {
      resolve(false);
    });
    child.once('exit', (code) => {
      resolve(code === 0);
    });
  });
}

function serverArguments({ home, settings }: ServerOptions, port: number): string[] {
  const all = {
    timezone: 'UTC',
    log_timezone: 'UTC',
    // An error is the caller's to report. In Postgres's own log it would quote statements and rows, and those hold
    // texts that may be in no log line.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    ...settings,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
  };
  return ['-D', home.cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

function quoteForShell(argument: string): string {
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}

/** The process of a cluster's server, told by its command line: that names the cluster, and no other process's does. */
async function runningServer(cluster: string): Promise<number | undefined> {
  const [line = ''] = (await readFile(postmasterFile(cluster), 'utf8').catch(() => '')).split('\n');
  const pid = /^[1-9]\d*$/.test(line) ? Number(line) : undefined;
  if (pid === undefined) return undefined;
  if (process.platform === 'linux') {
    const args = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    return args[args.indexOf('-D') + 1] === cluster ? pid : undefined;
  }
  const command = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => '');
  return command.includes(` -D ${cluster} `) ? pid : undefined;
}

async function readLog(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).slice(-2_000).trim();
}

function postmasterFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

function logPath(home: Home): string {
  return join(home.directory, 'server.log');
}
