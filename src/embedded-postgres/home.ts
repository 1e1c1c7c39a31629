import { chmod, lstat, mkdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { EmbeddedPostgresError } from './error.js';
import { exists } from './files.js';
import { canEnter, type Account } from './run.js';

/** Where the embedded store's files are. `path` is what an operator sees, `directory` the same without links. */
export interface Home {
  readonly path: string;
  readonly directory: string;
  readonly cluster: string;
}

/** Finds the store's folder in the data directory, following a link that an earlier start has made; undefined if new. */
export async function findHome(dataDirectory: string): Promise<Home | undefined> {
  const path = homePath(dataDirectory);
  if (!(await exists(path))) return undefined;
  const directory = await realpath(path).catch((cause: unknown) => {
    throw new EmbeddedPostgresError(
      `${path} is a link to the store's files, and they are not there. Bring them back, or remove the link to begin ` +
        'with an empty store.',
      { cause },
    );
  });
  return { path, directory, cluster: clusterPath(directory) };
}

/**
 * Creates the store's folder in the data directory. As root, in a clone under /root for instance, the account that Postgres
 * runs under may be unable to enter that: opening /root to it is not ours to do, and files in another place than the one
 * that was named are files that nobody backs up.
 */
export async function createHome(dataDirectory: string, account: Account | undefined): Promise<Home> {
  const path = homePath(dataDirectory);
  try {
    await mkdir(dataDirectory, { recursive: true });
    if (!(await canEnter(dataDirectory, account))) throw await notReached(dataDirectory, account);
    await mkdir(path).catch(ignoreExisting);
    // Set with chmod, since a strict umask would lock the account out. What is private in there is 0600 or 0700.
    await chmod(path, 0o711);
  } catch (cause) {
    if (cause instanceof EmbeddedPostgresError) throw cause;
    throw new EmbeddedPostgresError(
      `Can't create ${path}: ${cause instanceof Error ? cause.message : String(cause)}. Set CONTINUITY_DATA_DIR to a ` +
        'folder that this account can write to, or set DATABASE_URL.',
      { cause },
    );
  }
  const home = await findHome(dataDirectory);
  if (home) return home;
  throw new EmbeddedPostgresError(`${path} was removed while the embedded store was starting. Start again.`);
}

/** Refuses a folder that the server's account can't use, for instance one that was moved or restored by hand. */
export async function checkHome(home: Home, account: Account | undefined): Promise<void> {
  const owner = await lstat(home.cluster).catch(() => undefined);
  if (!account && owner && owner.uid !== process.getuid?.()) {
    throw new EmbeddedPostgresError(
      `${home.cluster} belongs to another account (uid ${owner.uid}): the store was started as root or as that ` +
        'account before. Start it so again, or give the files to this account with chown -R.',
    );
  }
  if (!(await canEnter(home.directory, account))) throw await notReached(home.directory, account);
}

async function notReached(folder: string, account: Account | undefined): Promise<EmbeddedPostgresError> {
  const path = await realpath(folder);
  const folders = path.split(sep).map((_, index, names) => names.slice(0, index + 1).join(sep) || sep);
  const closed = await Promise.all(folders.map(async (each) => !(await canEnter(each, account))));
  return new EmbeddedPostgresError(
    `The account that Postgres runs under${account ? ` (uid ${account.uid})` : ''} can't enter ` +
      `${folders[closed.indexOf(true)] ?? path}, and the embedded store would be in ${folder}. Set CONTINUITY_DATA_DIR to ` +
      'a folder that this account can enter, such as one under /var/lib, or allow it with chmod o+x; start the service as ' +
      'an ordinary user; or set DATABASE_URL.',
  );
}

function homePath(dataDirectory: string): string {
  return join(dataDirectory, 'postgres');
}

function clusterPath(home: string): string {
  return join(home, 'cluster');
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
