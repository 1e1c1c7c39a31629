import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { Client } from 'pg';

import { serverAccount } from '../../src/embedded-postgres/account.js';
import { usableBinaries } from '../../src/embedded-postgres/binaries.js';
import { ensureCluster, storeName } from '../../src/embedded-postgres/cluster.js';
import { runOptions } from '../../src/embedded-postgres/run.js';
import { freePort } from '../bench/free-port.js';
import { query } from '../support/database.js';
import { Disk } from './disk.js';

const run = promisify(execFile);

/** How long a server may take until it answers: recoveries, and what is left of one that was killed. */
const startPatience = 60_000;

/** Server settings by name. */
export type Settings = Readonly<Record<string, string>>;

/** A server on a disk of its own, made with the programs of the embedded store, that is killed and started at will. */
export class Postgres {
  readonly disk: Disk;
  readonly port: number;
  readonly #password: string;
  readonly #settings: Settings;
  #child: ChildProcess | undefined;

  private constructor(disk: Disk, port: number, password: string, settings: Settings) {
    this.disk = disk;
    this.port = port;
    this.#password = password;
    this.#settings = settings;
  }

  /** Makes an empty store and starts its server. */
  static async make(path: string, settings: Settings = {}): Promise<Postgres> {
    const disk = await Disk.make(path);
    const account = await serverAccount(undefined);
    const home = { path, directory: path, cluster: clusterOn(disk) };
    const password = await ensureCluster(home, await binariesFor(path), account, true);
    const postgres = new Postgres(disk, await freePort(), password, settings);
    await postgres.start();
    await query(postgres.#connectionString('postgres'), `create database ${storeName}`);
    return postgres;
  }

  /** Starts a standby on a copy of a running server's files, and makes the other one wait for it with every commit. */
  static async standbyOf(primary: Postgres, path: string): Promise<Postgres> {
    const disk = await Disk.make(path);
    const conninfo = new URL(primary.connectionString);
    const standby = new Postgres(disk, await freePort(), primary.#password, {
      ...primary.#settings,
      primary_conninfo: `host=127.0.0.1 port=${conninfo.port} user=${storeName} password=${primary.#password}`,
    });
    await primary.#copyTo(clusterOn(disk));
    await standby.start();
    await primary.waitFor('*');
    return standby;
  }

  get connectionString(): string {
    return this.#connectionString(storeName);
  }

  get isUp(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts the server, and returns when it answers. */
  async start(): Promise<void> {
    const deadline = Date.now() + startPatience;
    while (!(await this.#answers())) {
      if (!this.isUp) await this.#spawn();
      if (Date.now() > deadline) throw new Error(`Postgres does not start on ${this.disk.path}`);
      await sleep(100);
    }
  }

  /** Ends every process of the server at once: no word to anybody, and nothing is written any more. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || !this.isUp) return;
    const ended = once(child, 'exit');
    await killServer(child.pid ?? NaN);
    await ended;
  }

  /** Stops the server in good order, its sessions cut off. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || !this.isUp) return;
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  }

  /** Ends being a standby, once everything that the other one has sent is replayed. */
  async promote(): Promise<void> {
    await this.#alter("synchronous_standby_names = ''");
    await query(this.connectionString, 'select pg_promote()');
  }

  /** Whether commits wait for the standby: `*`, and returns when there is one that they wait for; or '' for none. */
  async waitFor(standbys: '*' | ''): Promise<void> {
    await this.#alter(`synchronous_standby_names = '${standbys}'`);
    if (standbys !== '') await this.untilInStep();
  }

  /** Returns when there is a standby that has caught up, and that commits wait for. */
  async untilInStep(): Promise<void> {
    const inStep = `select from pg_stat_replication where state = 'streaming' and sync_state = 'sync'`;
    const deadline = Date.now() + startPatience;
    while ((await query(this.#connectionString('postgres'), inStep).catch(() => [])).length === 0) {
      if (Date.now() > deadline) throw new Error('No standby has come into step');
      await sleep(100);
    }
  }

  async remove(): Promise<void> {
    await this.kill();
    await this.disk.remove();
  }

  #connectionString(database: string): string {
    return `postgresql://${storeName}:${this.#password}@127.0.0.1:${this.port}/${database}?sslmode=disable`;
  }

  async #alter(setting: string): Promise<void> {
    await query(this.#connectionString('postgres'), `alter system set ${setting}`);
    await query(this.#connectionString('postgres'), 'select pg_reload_conf()');
  }

  async #answers(): Promise<boolean> {
    return query(this.#connectionString('postgres'), 'select').then(
      () => true,
      () => false,
    );
  }

  async #spawn(): Promise<void> {
    const account = await serverAccount(clusterOn(this.disk));
    const { postgres } = await binariesFor(this.disk.path);
    const settings = Object.entries({
      ...usual,
      ...this.#settings,
      port: String(this.port),
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = await open(`${this.disk.path}.log`, 'a');
    this.#child = spawn(postgres, ['-D', clusterOn(this.disk), ...settings], {
      ...runOptions(account),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
  }

  /** By the steps of Postgres's manual for a copy of the files of a server that runs. */
  async #copyTo(cluster: string): Promise<void> {
    const client = new Client({ connectionString: this.#connectionString('postgres') });
    await client.connect();
    try {
      await client.query("select pg_backup_start('standby', true)");
      // A file that vanishes meanwhile is none that is needed.
      await run('cp', ['-a', clusterOn(this.disk), cluster]).catch(() => undefined);
      const { rows } = await client.query<{ labelfile: string }>(
        'select labelfile from pg_backup_stop(false)',
      );
      await rm(join(cluster, 'postmaster.pid'), { force: true });
      await run('find', [join(cluster, 'pg_wal'), '-type', 'f', '-delete']);
      for (const [name, text] of [
        ['backup_label', rows[0]?.labelfile ?? ''],
        ['standby.signal', ''],
      ] as const) {
        await writeFile(join(cluster, name), text);
        await run('chown', ['--reference', cluster, join(cluster, name)]);
      }
    } finally {
      await client.end();
    }
  }
}

/** For short recoveries and small files; what a commit waits for is as Postgres has it. */
const usual: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '32MB',
  max_wal_size: '64MB',
  min_wal_size: '32MB',
  wal_keep_size: '96MB',
  wal_retrieve_retry_interval: '200ms',
  log_min_error_statement: 'panic',
};

function clusterOn({ path }: Disk): string {
  return join(path, 'cluster');
}

/** A copy of the programs, where one is needed, stands beside the disks. */
async function binariesFor(path: string) {
  return usableBinaries(await serverAccount(undefined), join(path, '..'));
}

/** Ends a server and all of its own processes, which would have a moment left if only the first of them ended. */
export async function killServer(pid: number): Promise<void> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({ stdout: '' }));
  for (const each of [pid, ...stdout.split('\n').map(Number)]) {
    try {
      if (each > 0) process.kill(each, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}
