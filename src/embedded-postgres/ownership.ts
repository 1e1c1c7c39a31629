import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, symlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './error.js';

/** The exclusive right of this process to a store's folder. The kernel takes it back when the process dies. */
export interface Ownership {
  /** Says that the folder will be free shortly: whoever wants it waits, where it would be refused otherwise. */
  announceRelease(): void;
  release(): Promise<void>;
}

type State = 'starting' | 'running' | 'stopping';

/**
 * Makes this process the only one that starts, stops or repairs the server in a folder, or refuses.
 *
 * Node has no file locks, and a file with a process id says nothing across containers that share a volume. So each
 * process listens on a Unix socket with a name of its own in the folder and then asks all others: a socket that
 * nobody listens on any more belonged to a process that died. Both of two simultaneous starts listen before they
 * ask, so at least one sees the other; the lower name goes first.
 */
export async function takeOwnership(folder: string): Promise<Ownership> {
  let state: State = 'starting';
  const name = `owner-${randomBytes(8).toString('hex')}.sock`;
  const server = createServer((socket) => {
    socket.on('error', () => undefined).end(`${state} ${process.pid}`);
  });
  server.unref();
  const release = async (): Promise<void> => {
    await rm(join(folder, name), { force: true });
    server.close();
  };
  await listen(server, folder, name);
  try {
    for (;;) {
      const rivals = await askRivals(folder, name);
      const winner = rivals.find(
        (rival) => rival.state === 'running' || (rival.state === 'starting' && rival.name < name),
      );
      if (winner) throw inUse(folder, winner);
      if (rivals.length === 0) break;
      await sleep(50);
    }
  } catch (error) {
    await release();
    throw error;
  }
  state = 'running';
  return {
    announceRelease: () => {
      state = 'stopping';
    },
    release,
  };
}

interface Rival {
  readonly name: string;
  readonly state: State;
  readonly pid?: string;
}

async function askRivals(folder: string, ownName: string): Promise<Rival[]> {
  const names = (await readdir(folder)).filter((name) => /^owner-.*\.sock$/.test(name) && name !== ownName);
  const rivals = await Promise.all(names.map((name) => ask(folder, name)));
  return rivals.filter((rival) => rival !== undefined);
}

/** Undefined when nobody listens any more. One that can't be asked or does not answer in time counts as running. */
async function ask(folder: string, name: string): Promise<Rival | undefined> {
  const answer = await withShortPath(folder, (short) => readAll(join(short, name)));
  if (answer === 'dead') {
    // A name is never used twice, so this can't remove a living one.
    await rm(join(folder, name), { force: true });
    return undefined;
  }
  const [, state, pid] = /^(starting|running|stopping) (\d+)$/.exec(answer) ?? [];
  if (state === 'starting' || state === 'stopping') return { name, state };
  return { name, state: 'running', ...(pid !== undefined && { pid }) };
}

function readAll(path: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path);
    socket.setTimeout(2_000, () => socket.destroy());
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve('dead');
    });
    socket.on('close', () => {
      resolve(text);
    });
  });
}

/** Listens under a passing name first: between bind and listen a socket looks like a dead one. */
async function listen(server: Server, folder: string, name: string): Promise<void> {
  const passingName = `${name}.new`;
  await withShortPath(folder, (short) => {
    return new Promise<void>((resolve, reject) => {
      server.on('error', reject);
      // Another account that is started here next must be able to ask whether we live.
      server.listen({ path: join(short, passingName), readableAll: true, writableAll: true }, resolve);
    });
  }).catch((cause: unknown) => {
    throw new EmbeddedPostgresError(
      `Can't create a socket in ${folder}, which keeps two processes from using the store at once. Set ` +
        'CONTINUITY_DATA_DIR to a folder on a local disk that this account can write to, or set DATABASE_URL.',
      { cause },
    );
  });
  await rename(join(folder, passingName), join(folder, name));
}

/** A socket's path may have about 100 bytes: a longer folder is reached through a short link that lives as long. */
async function withShortPath<T>(folder: string, use: (short: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(folder) < 70) return use(folder);
  const link = join(tmpdir(), `cg-${randomBytes(6).toString('hex')}`);
  await symlink(folder, link);
  return use(link).finally(() => rm(link, { force: true }));
}

function inUse(folder: string, rival: Rival): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded store in ${folder} is in use by another process${rival.pid ? ` (${rival.pid})` : ''}. Stop that ` +
      'process first, set CONTINUITY_DATA_DIR to a folder of its own for each, or let both share a Postgres with DATABASE_URL.',
  );
}
