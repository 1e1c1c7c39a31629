import { spawn } from 'node:child_process';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../src/embedded-postgres/start.js';
import { migrate } from '../../src/store/migrate.js';

/** The one Postgres of a test run, with a migrated database that is only there to be cloned. */
export interface TestServer {
  readonly connectionString: string;
  readonly templateDatabase: string;
  stop(): Promise<void>;
}

type Server = Omit<TestServer, 'templateDatabase'>;

const templateDatabase = 'template_continuity_gate';

/** Settings for data that need not survive anything, and for pools of several test files at once. */
const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '200' };

/** In a container where a container runtime answers, else embedded. */
export async function startTestServer(): Promise<TestServer> {
  const server = await startContainer().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`Tests use the embedded Postgres, there is no container: ${reason.split('\n')[0] ?? ''}`);
    return startEmbedded();
  });
  try {
    await makeTemplate(server.connectionString);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { ...server, templateDatabase };
}

async function startContainer(): Promise<Server> {
  const { getContainerRuntimeClient, Wait } = await import('testcontainers');
  await getContainerRuntimeClient();
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const starting = new PostgreSqlContainer('postgres:17-alpine')
    .withEnvironment({
      POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C',
    })
    .withCommand([
      'postgres',
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ])
    // Not the health check, which never turns green under Podman. The first of the two is the image's own set-up.
    .withWaitStrategy(
      Wait.forAll([Wait.forLogMessage(/ready to accept connections/, 2), Wait.forListeningPorts()]),
    )
    .start();
  const container = await Promise.race([starting, failAfter(120_000)]);
  return {
    connectionString: container.getConnectionUri(),
    stop: async () => {
      await container.stop();
    },
  };
}

/** An image that can't be pulled behind some firewalls neither fails nor arrives. */
async function failAfter(milliseconds: number): Promise<never> {
  await sleep(milliseconds, undefined, { ref: false });
  throw new Error(`it was not there after ${milliseconds / 1_000} s`);
}

async function startEmbedded(): Promise<Server> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'continuity-gate-test-'));
  // As root, the account that Postgres runs under must be able to enter it.
  await chmod(dataDirectory, 0o711);
  const removeWhenWeEnd = cleanUpAfterUs(dataDirectory);
  const server = await startEmbeddedPostgres({ dataDirectory, settings });
  return {
    connectionString: server.connectionString,
    stop: async () => {
      await server.stop();
      removeWhenWeEnd();
    },
  };
}

/**
 * Removes the directory, and the server that may still run on it, when this process ends, killed or not: the shell
 * waits for the end of its input, which comes with our end. Runs that are interrupted are the rule while developing.
 */
function cleanUpAfterUs(dataDirectory: string): () => void {
  const script = `cat
    pid=$(head -n 1 "$1/postgres/cluster/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" && sleep 1
    rm -rf "$1"`;
  const shell = spawn('/bin/sh', ['-c', script, 'sh', dataDirectory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  return () => shell.stdin.end();
}

async function makeTemplate(connectionString: string): Promise<void> {
  await execute(connectionString, `create database ${templateDatabase}`);
  const url = new URL(connectionString);
  url.pathname = `/${templateDatabase}`;
  await migrate(url.href);
  // A session in it would make every clone fail.
  await execute(connectionString, `alter database ${templateDatabase} allow_connections false`);
}

async function execute(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
