import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The service as `npm start` serves it, with an embedded store of its own. */
export interface ServedGate {
  readonly port: number;
  readonly dataDirectory: string;
  /** The messages that it logged at its start. */
  readonly messages: readonly string[];
  stop(): Promise<void>;
}

/** Starts the service on a free port and an empty data directory, and waits until it says how to connect with SQL. */
export async function serveGate(): Promise<ServedGate> {
  const [port, dataDirectory] = [await freePort(), await mkdtemp(join(tmpdir(), 'continuity-gate-served-'))];
  // As root, the account that Postgres runs under must be able to enter it.
  await chmod(dataDirectory, 0o711);
  const { PATH, HOME } = process.env;
  const npm = spawn('npm', ['start'], {
    env: { PATH, HOME, PORT: String(port), CONTINUITY_DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    if (npm.exitCode === null && npm.kill('SIGTERM')) await once(npm, 'close');
    await rm(dataDirectory, { recursive: true, force: true });
  };
  try {
    return { port, dataDirectory, messages: await messagesUntilSql(npm), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function messagesUntilSql({ stdout }: ChildProcess): Promise<string[]> {
  const lines: string[] = [];
  if (!stdout) throw new Error('The output of the service is not piped');
  const reader = createInterface(stdout);
  for await (const line of reader) {
    lines.push(messageOf(line));
    if (lines.at(-1)?.startsWith('SQL: ') === true) {
      stdout.resume();
      return lines;
    }
  }
  throw new Error(`The service ended at its start:\n${lines.join('\n')}`);
}

/** The message of a log line; other lines, npm's among them, as they are. */
function messageOf(line: string): string {
  return (
    /"msg":("(?:[^"\\]|\\.)*")/.exec(line)?.[1]?.replace(/^.*$/, (text) => String(JSON.parse(text))) ?? line
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port');
  return address.port;
}
