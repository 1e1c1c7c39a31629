import { stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './error.js';
import { run, succeeds, type Account } from './run.js';

/**
 * The account that the server runs under, or undefined for our own. Postgres refuses to run as root: a root process
 * uses the owner of the existing cluster, else the account `postgres` (created when it is missing), else `nobody`.
 */
export async function serverAccount(cluster: string | undefined): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = cluster === undefined ? undefined : await clusterOwner(cluster);
  const account = owner ?? (await unprivilegedAccount());
  if (await succeeds('/bin/sh', ['-c', ':'], account)) return account;
  throw new EmbeddedPostgresError(
    `Postgres refuses to run as root, and this process may not run it as another account (uid ${account.uid}): a ` +
      'container without the capabilities SETUID and SETGID, perhaps. Start the service as an ordinary user, or set DATABASE_URL.',
  );
}

async function clusterOwner(cluster: string): Promise<Account | undefined> {
  const owner = await stat(cluster).catch(() => undefined);
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : undefined;
}

async function unprivilegedAccount(): Promise<Account> {
  const account = (await lookUp('postgres')) ?? (await create('postgres')) ?? (await lookUp('nobody'));
  if (account) return account;
  throw new EmbeddedPostgresError(
    'Postgres refuses to run as root, and this machine has neither an account "postgres" nor "nobody". ' +
      'Start the service as an ordinary user, or set DATABASE_URL.',
  );
}

async function lookUp(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid), gid: Number(gid) };
  } catch {
    return undefined;
  }
}

/** Debian, Red Hat and their kin have useradd; Alpine has BusyBox's adduser; a read-only /etc has neither. */
async function create(name: string): Promise<Account | undefined> {
  if (
    !(await succeeds('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/bin/false',
      name,
    ]))
  ) {
    await succeeds('addgroup', ['-S', name]);
    await succeeds('adduser', ['-S', '-D', '-H', '-s', '/bin/false', '-G', name, name]);
  }
  // Looked up after a failure too: another process may have created it a moment ago.
  return lookUp(name);
}
