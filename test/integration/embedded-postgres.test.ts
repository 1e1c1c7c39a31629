import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterEach, expect, it } from 'vitest';
import { serverAccount } from '../../src/embedded-postgres/account.js';
import { usableBinaries } from '../../src/embedded-postgres/binaries.js';
import { run } from '../../src/embedded-postgres/run.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/embedded-postgres/start.js';

const isRoot = process.getuid?.() === 0;
const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

it('serves an empty store named continuity_gate that is the same on every machine', async () => {
  const store = await start(await newDirectory());

  const [settings] = await query(
    store.connectionString,
    `select current_database() as database, current_setting('server_encoding') as encoding,
            current_setting('timezone') as timezone, current_setting('listen_addresses') as listens_on,
            current_setting('unix_socket_directories') as sockets, current_setting('port')::int < 32768 as low_port,
            current_setting('data_checksums') as checksums, datlocprovider as provider, datlocale as locale
       from pg_database where datname = current_database()`,
  );
  expect(settings).toEqual({
    database: 'continuity_gate',
    encoding: 'UTF8',
    timezone: 'UTC',
    listens_on: '127.0.0.1',
    sockets: '',
    low_port: true,
    checksums: 'on',
    provider: 'b',
    locale: 'C.UTF-8',
  });
});

it('lets nobody in without the password, and keeps the password from other accounts', async () => {
  const store = await start(await newDirectory());

  const guess = new URL(store.connectionString);
  guess.password = 'guess';
  await expect(query(guess.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  const hba = await query(store.connectionString, 'select distinct auth_method from pg_hba_file_rules');
  expect(hba).toEqual([{ auth_method: 'scram-sha-256' }]);
  for (const file of ['password', 'pg_service.conf']) {
    expect((await stat(join(store.dataDirectory, 'postgres', file))).mode & 0o777).toBe(0o600);
  }
});

it('writes no statement and no row into its own log, whatever fails', async () => {
  const store = await start(await newDirectory());

  await query(store.connectionString, `create table notes (text text check (text <> 'secret'))`);
  await expect(query(store.connectionString, `insert into notes values ('secret')`)).rejects.toThrow('check');

  expect(await serverLog(store.dataDirectory)).not.toMatch(/secret/);
});

it('keeps rows and port over a stop, after which nothing runs and nothing needs recovery', async () => {
  const directory = await newDirectory();
  const first = await start(directory);
  await query(first.connectionString, 'create table kept as select 1 as row');
  const pid = await postmasterPid(directory);
  await Promise.all([first.stop(), first.stop()]);
  await expect.poll(() => isAlive(pid)).toBe(false);

  const second = await start(directory);

  expect(second.connectionString).toBe(first.connectionString);
  expect(await query(second.connectionString, 'select row from kept')).toEqual([{ row: 1 }]);
  expect(await serverLog(directory)).toMatch(/database system was shut down at/);
});

it('takes over after its process was killed, with every committed row', async () => {
  const directory = await newDirectory();
  const { child, answer } = startInChild(directory);
  const { connectionString } = await answer;
  await query(connectionString, 'create table kept as select 1 as row');
  const orphan = await postmasterPid(directory);
  await kill(child);
  expect(await isAlive(orphan)).toBe(true);

  const store = await start(directory);

  expect(await postmasterPid(directory)).not.toBe(orphan);
  expect(await query(store.connectionString, 'select row from kept')).toEqual([{ row: 1 }]);
});

it('begins anew after its process was killed half-way through initdb', async () => {
  const directory = await newDirectory();
  const { child } = startInChild(directory);
  await until(async () => (await draftClusters(directory)).length > 0);
  await sleep(100);
  await kill(child);
  await expect(stat(join(directory, 'postgres/cluster'))).rejects.toThrow('ENOENT');

  const store = await start(directory);

  expect(await query(store.connectionString, 'select 1 as row')).toEqual([{ row: 1 }]);
  expect(await draftClusters(directory)).toEqual([]);
});

it('is not held up by a postmaster.pid whose number now belongs to an unrelated process', async () => {
  const directory = await newDirectory();
  await (await start(directory)).stop();
  const cluster = join(directory, 'postgres/cluster');
  const { uid, gid } = await stat(cluster);
  const unrelated = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
  cleanUps.push(() => kill(unrelated));
  await writeFile(
    join(cluster, 'postmaster.pid'),
    `${String(unrelated.pid)}\n${cluster}\n1\n20000\n\n\n1 1\nready\n`,
  );

  const store = await start(directory);

  expect(await query(store.connectionString, 'select 1 as row')).toEqual([{ row: 1 }]);
  expect(unrelated.exitCode).toBeNull();
});

it('lets exactly one of two simultaneous first starts in, and tells the other who has the store', async () => {
  const directory = await newDirectory();

  const outcomes = await Promise.allSettled([start(directory), start(directory)]);

  const winners = outcomes.filter((outcome) => outcome.status === 'fulfilled');
  const losers = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect([winners.length, losers.length]).toEqual([1, 1]);
  expect(String(losers[0]?.reason)).toMatch(/is in use by another process/);
  expect(await query(winners[0]?.value.connectionString ?? '', 'select 1 as row')).toEqual([{ row: 1 }]);
});

it('refuses a second process and leaves the store of the first alone', async () => {
  const directory = await newDirectory();
  const store = await start(directory);

  const { error } = await startInChild(directory).answer;

  expect(error).toContain(`is in use by another process (${process.pid})`);
  expect(await query(store.connectionString, 'select 1 as row')).toEqual([{ row: 1 }]);
});

it('says which folder the account of Postgres can not enter, and puts no files elsewhere; as its owner it works', async () => {
  const directory = await newDirectory(0o700);
  const below = join(directory, 'deep', 'data');

  const started = start(below);

  if (!isRoot) {
    expect(await query((await started).connectionString, 'select 1 as row')).toEqual([{ row: 1 }]);
    return;
  }
  await expect(started).rejects.toThrow(
    new RegExp(
      `^The account that Postgres runs under \\(uid \\d+\\) can't enter ${directory}, .*CONTINUITY_DATA_DIR.*DATABASE_URL`,
    ),
  );
  expect(await readdir(below)).toEqual([]);
});

it('starts a server again that has died, on the same port and with every committed row', async () => {
  const directory = await newDirectory();
  const store = await start(directory);
  await query(store.connectionString, 'create table kept as select 1 as row');

  for (let round = 0; round < 3; round += 1) {
    const pid = await postmasterPid(directory);
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(() => query(store.connectionString, 'select row from kept').catch(() => 'away'), {
        timeout: 20_000,
      })
      .toEqual([{ row: 1 }]);
    expect(await postmasterPid(directory)).not.toBe(pid);
  }

  await store.stop();
  await expect(query(store.connectionString, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await sleep(1_500);
  await expect(query(store.connectionString, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('runs from a package that was installed without scripts in a folder that only its owner can enter', async () => {
  const folder = await newDirectory(0o700);
  const installed = join(folder, 'package');
  const copies = await newDirectory();
  await cp(embeddedPackage(), installed, { recursive: true, verbatimSymlinks: true });
  for (const file of await readdir(join(installed, 'native/lib'), { withFileTypes: true })) {
    if (file.isSymbolicLink()) await rm(join(file.parentPath, file.name));
  }

  const account = await serverAccount(undefined);
  const starts = [1, 2].map(() => usableBinaries(account, copies, installed));
  const [first, second] = await Promise.all(starts);

  expect(first).toEqual(second);
  expect(first?.postgres.startsWith(isRoot ? copies : installed)).toBe(true);
  expect(await readdir(copies)).toHaveLength(isRoot ? 1 : 0);
  expect(await run(first?.postgres ?? '', ['--version'], account)).toMatch(/^postgres \(PostgreSQL\) 17\./);
});

async function start(dataDirectory: string): Promise<EmbeddedPostgres> {
  const store = await startEmbeddedPostgres({ dataDirectory, settings: { fsync: 'off' } });
  cleanUps.push(() => store.stop());
  return store;
}

interface ChildAnswer {
  readonly connectionString: string;
  readonly error?: string;
}

interface ChildStart {
  readonly child: ChildProcess;
  /** The one line that it prints, when it has started or failed. */
  readonly answer: Promise<ChildAnswer>;
}

function startInChild(dataDirectory: string): ChildStart {
  const script = fileURLToPath(new URL('./start-embedded-postgres.js', import.meta.url));
  const child = spawn(process.execPath, [script, dataDirectory], { stdio: ['ignore', 'pipe', 'inherit'] });
  cleanUps.push(() => kill(child));
  const answer = once(createInterface(child.stdout), 'line').then(
    ([line]) => JSON.parse(String(line)) as ChildAnswer,
  );
  return { child, answer };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function newDirectory(mode = 0o755): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'continuity-gate-embedded-'));
  await chmod(directory, mode);
  cleanUps.push(async () => {
    const elsewhere = await realpath(join(directory, 'postgres')).catch(() => directory);
    await rm(elsewhere, { recursive: true, force: true });
    await rm(directory, { recursive: true, force: true });
  });
  return directory;
}

async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function postmasterPid(directory: string): Promise<number> {
  return Number((await readFile(join(directory, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** Not whether its number is still taken: one that has ended may wait for a long time until its parent asks for it. */
async function isAlive(pid: number): Promise<boolean> {
  const state = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => undefined);
  return state !== undefined && !state.stdout.trim().startsWith('Z');
}

function serverLog(directory: string): Promise<string> {
  return readFile(join(directory, 'postgres/server.log'), 'utf8');
}

async function draftClusters(directory: string): Promise<string[]> {
  const names = await readdir(join(directory, 'postgres')).catch(() => []);
  return names.filter((name) => name.startsWith('cluster.new-'));
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5);
}

function embeddedPackage(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return dirname(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)));
}
