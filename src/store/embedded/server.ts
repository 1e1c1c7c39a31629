import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import { EmbeddedPostgresError } from './error.js';
import type { Home } from './home.js';
import { choosePort } from './port.js';
import { clearLeftover, readPostmasterFile, stopPostmaster } from './postmaster.js';
import { runOptions, type Account } from './run.js';

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
    await clearLeftover(options.home.cluster, options.log);
    const port = await choosePort(options.preferredPort);
    const outcome = await launch(options, port);
    if (typeof outcome !== 'string') return { port, stop: stopper(outcome, options) };
    if (attempt === 6) throw new EmbeddedPostgresError(`The embedded Postgres does not start: ${outcome}`);
    await sleep(attempt * 200);
  }
}

/** Returns the ready server's process, or the reason why it ended. */
async function launch(options: ServerOptions, port: number): Promise<ChildProcess | string> {
  const logFile = await open(logPath(options.home), 'w', 0o600);
  try {
    if (options.account) await logFile.chown(options.account.uid, options.account.gid);
    const child = spawn(options.binaries.postgres, serverArguments(options, port), {
      ...runOptions(options.account),
      // In a session of its own: Ctrl-C in a terminal is for us, and we stop the server when our requests are done.
      detached: true,
      stdio: ['ignore', logFile.fd, logFile.fd],
    });
    const spawnError = new Promise<string>((resolve) => {
      child.once('error', (error) => {
        resolve(error.message);
      });
    });
    child.unref();
    const ended = await Promise.race([spawnError, untilReadyOrEnded(child, options)]);
    return ended === undefined ? child : `${ended}\n${await readLog(options.home)}`.trim();
  } finally {
    await logFile.close();
  }
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

/** Resolves with undefined when the server is ready, with a sentence when it has ended. */
async function untilReadyOrEnded(
  child: ChildProcess,
  { home, log }: ServerOptions,
): Promise<string | undefined> {
  for (let waitedMs = 0; !hasEnded(child); waitedMs += 20) {
    const file = await readPostmasterFile(home.cluster);
    if (file?.ready === true && file.pid === child.pid) return undefined;
    if (waitedMs > 0 && waitedMs % 10_000 === 0)
      log('embedded Postgres: still starting, probably recovering');
    await sleep(20);
  }
  return `it ended ${howEnded(child)}.`;
}

function stopper(child: ChildProcess, { home, log }: ServerOptions): () => Promise<void> {
  const unexpected = (): void => {
    log(`embedded Postgres: the server ended unexpectedly ${howEnded(child)}; see ${logPath(home)}`);
  };
  child.once('exit', unexpected);
  return async () => {
    child.off('exit', unexpected);
    if (child.pid !== undefined && !hasEnded(child)) {
      await stopPostmaster(child.pid, () => Promise.resolve(hasEnded(child)));
    }
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function howEnded(child: ChildProcess): string {
  return child.signalCode === null ? `with code ${String(child.exitCode)}` : `by ${child.signalCode}`;
}

async function readLog(home: Home): Promise<string> {
  return (await readFile(logPath(home), 'utf8')).slice(-2_000);
}

function logPath(home: Home): string {
  return join(home.directory, 'server.log');
}
