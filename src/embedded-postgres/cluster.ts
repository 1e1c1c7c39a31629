import { randomBytes, randomUUID } from 'node:crypto';
import { chown, lstat, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '../private-file.js';
import type { Binaries } from './binaries.js';
import { EmbeddedPostgresError } from './error.js';
import { exists, removeLeftover, renameDurably } from './files.js';
import type { Home } from './home.js';
import { run, type Account } from './run.js';

/** The cluster's one role, and the database of the governed store. */
export const storeName = 'continuity_gate';

/**
 * Creates the cluster when there is none yet, and returns the password of its role. Only the folder's owner may call
 * this. The cluster is made under a passing name: half of one, left by a killed process, is never taken for a whole.
 */
export async function ensureCluster(
  home: Home,
  binaries: Binaries,
  account: Account | undefined,
  durable: boolean,
): Promise<string> {
  const passwordFile = join(home.directory, 'password');
  if (await exists(home.cluster)) {
    if (account) await takeBackFromRoot(home.cluster, account);
    return readPassword(passwordFile);
  }
  for (const name of await readdir(home.directory)) {
    if (name.startsWith('cluster.new-')) await removeLeftover(join(home.directory, name));
  }
  const password = randomBytes(24).toString('base64url');
  await writePrivateFile(passwordFile, password, account);
  const draft = join(home.directory, `cluster.new-${randomUUID()}`);
  await mkdir(draft, { mode: 0o700 });
  if (account) await chown(draft, account.uid, account.gid);
  await initialise(draft, passwordFile, binaries, account, durable);
  await renameDurably(draft, home.cluster);
  return password;
}

async function initialise(
  draft: string,
  passwordFile: string,
  binaries: Binaries,
  account: Account | undefined,
  durable: boolean,
): Promise<void> {
  const args = [
    `--pgdata=${draft}`,
    `--username=${storeName}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Built into Postgres: sorts and folds case alike on every machine and after every upgrade of it.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--data-checksums',
    ...(durable ? [] : ['--no-sync']),
  ];
  await run(binaries.initdb, args, account).catch((cause: unknown) => {
    throw new EmbeddedPostgresError(
      `Postgres can't create its files in ${draft}: ${cause instanceof Error ? cause.message.trim() : String(cause)}`,
      { cause },
    );
  });
}

async function readPassword(passwordFile: string): Promise<string> {
  return readFile(passwordFile, 'utf8').catch((cause: unknown) => {
    throw new EmbeddedPostgresError(
      `Can't read ${passwordFile}, which holds the password of the embedded store. Bring it back, readable for this account.`,
      { cause },
    );
  });
}

/** A copy made by root belongs to root, and Postgres refuses files that are not its own account's. */
async function takeBackFromRoot(cluster: string, account: Account): Promise<void> {
  const { uid } = await lstat(cluster);
  if (uid === 0) await run('chown', ['-R', `${account.uid}:${account.gid}`, cluster]);
}
