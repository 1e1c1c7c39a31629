import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, realpath, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './error.js';
import { exists } from './files.js';
import { canEnter, type Account } from './run.js';

/** Where the embedded store's files are. `path` is what an operator sees, `directory` the same without links. */
export interface Home {
  readonly path: string;
  readonly directory: string;
  readonly cluster: string;
}

/** Set with chmod, since a strict umask would lock the server's account out. What is private in there is 0600 or 0700. */
const enterOnly = 0o711;

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
 * Creates the store's folder in the data directory. As root, in a clone under /root for instance, the account that
 * Postgres runs under may be unable to enter that directory: opening /root to it is not ours to do, so the folder
 * goes to a place that it can reach, and the data directory gets a link to it.
 */
export async function createHome(dataDirectory: string, account: Account | undefined): Promise<Home> {
  const path = homePath(dataDirectory);
  try {
    await mkdir(dataDirectory, { recursive: true });
    if (!account || (await canEnter(dataDirectory, account))) {
      await mkdir(path).catch(ignoreExisting);
      await chmod(path, 0o711);
    } else {
      await linkElsewhere(path, await reachableRoot(account));
    }
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

async function linkElsewhere(path: string, root: string): Promise<void> {
  const elsewhere = join(root, `store-${randomUUID()}`);
  await mkdir(elsewhere);
  await chmod(elsewhere, enterOnly);
  await symlink(elsewhere, path).catch(async (error: unknown) => {
    await rm(elsewhere, { recursive: true });
    ignoreExisting(error);
  });
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
  if (!(await canEnter(home.directory, account))) {
    throw new EmbeddedPostgresError(
      `The account that Postgres runs under${account ? ` (uid ${account.uid})` : ''} can't enter ${home.directory}. ` +
        'Allow it with chmod o+x on each folder above, or move the data directory.',
    );
  }
}

/**
 * A folder of root's that the unprivileged account can enter, for what can't stay where it is. In a folder that
 * everybody may write to, one that someone else has prepared is not used.
 */
export async function reachableRoot(account: Account): Promise<string> {
  for (const parent of ['/var/lib', '/var/tmp', '/tmp']) {
    const root = join(parent, 'continuity-gate');
    await mkdir(root).then(
      () => chmod(root, 0o755),
      () => undefined,
    );
    const found = await lstat(root).catch(() => undefined);
    const ours = found?.isDirectory() === true && found.uid === 0 && (found.mode & 0o022) === 0;
    if (ours && (await canEnter(root, account))) return root;
  }
  throw new EmbeddedPostgresError(
    `The account that Postgres runs under (uid ${account.uid}) can reach neither the data directory nor a folder ` +
      'under /var/lib, /var/tmp or /tmp. Set CONTINUITY_DATA_DIR to a folder that it can enter, or set DATABASE_URL.',
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
