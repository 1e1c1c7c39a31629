import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Logger } from 'pino';

import { ConfigError, readConfig, type Config } from './config.js';
import { developmentKeyPrefix } from './http/auth/development-keys.js';
import { fileKeys, KeyFileError, remoteKeys, type KeySource } from './http/auth/identity-provider.js';
import { buildApp } from './http/build-app.js';
import type { AccessOptions } from './http/plugins/access.js';
import { createLogger } from './observability/logger.js';
import { ensureReceiptKeys, readReceiptKeys, ReceiptKeyError } from './receipts/keys.js';
import { joinReplicas } from './replicas.js';
import { createReceiptSigner, type ReceiptSigner } from './receipts/sign-receipt.js';
import { Database } from './store/database.js';
import { startEmbeddedPostgres } from './embedded-postgres/start.js';
import { EmbeddedPostgresError } from './embedded-postgres/error.js';
import { knownSchemaVersion, migrate, SchemaError } from './store/migrate.js';
import { startTelemetry } from './observability/telemetry.js';

/** What asks the service to stop. */
const signals: ('SIGINT' | 'SIGTERM')[] = ['SIGINT', 'SIGTERM'];

/** How far ahead of need the trace has partitions, and how often that is seen to. */
const partitionMonthsAhead = 12;
const partitionInterval = 24 * 60 * 60 * 1_000;

/** How long a store that is not up yet is waited for at start. */
const startPatience = 60_000;

/** How long requests in flight may take after a signal to stop, and how long all of the stop. */
const answerPatience = 10_000;
const closeDelay = 25_000;

try {
  const config = readConfig();
  await serve(config, createLogger(config.logLevel));
} catch (error) {
  // What an operator can fix is told in its own sentence; anything else is a bug and is shown whole.
  const known =
    error instanceof ConfigError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof SchemaError ||
    error instanceof ReceiptKeyError ||
    error instanceof KeyFileError ||
    isAboutListening(error);
  console.error(known ? error.message : error);
  process.exit(1);
}

/** Serves until a signal. A start that fails half-way leaves nothing running behind it. */
async function serve(config: Config, logger: Logger): Promise<void> {
  const stops = stopOnSignals(logger);
  try {
    await start(config, logger, stops);
  } catch (error) {
    const asked = stops.ended !== undefined;
    await stopAll(stops);
    // A start that a signal has cut off fails for that alone, and the signal's own stop ends the process.
    if (!asked) throw error;
  }
}

/** What a stop consists of, in the order of starting, and the stop itself once it is under way. */
interface Stops {
  readonly steps: (() => unknown)[];
  ended?: Promise<void>;
}

/** Starts the store, the schema and the service, in this order. */
async function start(config: Config, logger: Logger, stops: Stops): Promise<void> {
  const store = await openStore(config, logger, stops);
  await migrateWithPatience(store.connectionString, logger);
  const database = new Database({
    connectionString: store.connectionString,
    ...config.database,
    onConnectionError: (error) => {
      logger.warn({ err: error }, 'A connection to the governed store broke');
    },
  });
  stops.steps.push(() => database.close());
  await database.ensureTracePartitions(partitionMonthsAhead);
  const partitions = setInterval(() => {
    database.ensureTracePartitions(partitionMonthsAhead).catch((error: unknown) => {
      logger.error({ err: error }, 'The trace partitions of the coming months could not be made');
    });
  }, partitionInterval);
  stops.steps.push(() => {
    clearInterval(partitions);
  });

  const receipts = await openReceipts(config);
  const replica = await joinReplicas(database, receipts.keys, logger);
  stops.steps.push(() => replica.leave());
  const keySource = await openKeys(config, logger);
  stops.steps.push(() => keySource?.close());
  const telemetry = config.tracing ? startTelemetry() : undefined;
  stops.steps.push(() => telemetry?.stop());
  const app = await buildApp({
    database,
    schemaVersion: await knownSchemaVersion(),
    access: accessOf(config, keySource),
    receipts,
    metricsAccess: config.onLoopback ? 'direct' : ['trace:read'],
    ...(telemetry && { tracing: telemetry.plugin }),
    logger,
  });
  stops.steps.push(() => app.close());
  stops.steps.push(() => {
    // A caller that has not sent all of a request by then holds up everyone else's stop.
    setTimeout(() => {
      app.server.closeAllConnections();
    }, answerPatience).unref();
  });
  const address = await app.listen({ host: config.host, port: config.port });
  announce(config, logger, address, store.sql);
}

/**
 * Heeds signals from the first moment on: as the first process of a container, Node would ignore them. Returns the list
 * of what a signal stops, the last one first.
 *
 * A signal may come several times: Ctrl-C on `npm start` arrives from the terminal and from npm, and a service manager
 * sends its own to every process of the group. Neither a second one nor an error on the way cuts the stop short, since
 * half of it would leave the embedded Postgres behind; only its patience does.
 */
function stopOnSignals(logger: Logger): Stops {
  const stops: Stops = { steps: [] };
  const end = async (exitCode: number): Promise<void> => {
    if (stops.ended) return;
    setTimeout(() => {
      logger.error(`The stop took longer than ${closeDelay / 1_000} s, and is cut off`);
      process.exit(1);
    }, closeDelay).unref();
    await stopAll(stops).catch((error: unknown) => {
      logger.error({ err: error }, 'The stop failed half-way');
      exitCode = 1;
    });
    process.exit(exitCode);
  };
  for (const signal of signals) {
    process.on(signal, () => {
      if (!stops.ended) logger.info(`Stopping after ${signal}`);
      void end(0);
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      logger.fatal({ err: error }, 'Stopping for an error that nobody has caught');
      void end(1);
    });
  }
  return stops;
}

/** Stops what was started, the last one first, and once however often it is asked for. */
function stopAll(stops: Stops): Promise<void> {
  return (stops.ended ??= runSteps(stops.steps));
}

/** A step that fails keeps no other from being taken: the store is the last one. */
async function runSteps(steps: (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps.splice(0).reverse()) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'What was started did not stop');
}

/** The identity provider's keys; undefined if the service is open. */
async function openKeys({ identityProvider }: Config, logger: Logger): Promise<KeySource | undefined> {
  if (!identityProvider) return undefined;
  const { jwks } = identityProvider;
  const onKey = warnOfDevelopmentKeys(logger);
  if ('file' in jwks) return fileKeys(jwks.file, onKey);
  return remoteKeys(jwks.url, {
    onKey,
    onFailure: (error) => {
      logger.warn(
        { err: error },
        "The identity provider's keys could not be fetched; the known ones stay good",
      );
    },
  });
}

/** Takes the ids of trusted keys, and warns once of each that `continuity-gate token` has made. */
function warnOfDevelopmentKeys(logger: Logger): (kid: string) => void {
  const told = new Set<string>();
  return (kid) => {
    if (!kid.startsWith(developmentKeyPrefix) || told.has(kid)) return;
    told.add(kid);
    logger.warn(
      { kid },
      'A DEVELOPMENT KEY IS TRUSTED: everyone who has its file may call this gate as anyone, for every tenant',
    );
  };
}

async function openReceipts({ receipts, dataDirectory }: Config): Promise<ReceiptSigner> {
  const { keyFile, issuer, lifeSeconds } = receipts;
  const keys =
    keyFile === undefined
      ? await ensureReceiptKeys(join(dataDirectory, 'receipt-keys.json'))
      : await readReceiptKeys(keyFile);
  return createReceiptSigner(keys, { issuer, lifeSeconds });
}

function accessOf(config: Config, keySource: KeySource | undefined): AccessOptions {
  const { attestedState, hostNames, identityProvider } = config;
  return identityProvider && keySource
    ? { mode: 'tokens', attestedState, rules: { ...identityProvider, keys: keySource.keys } }
    : { mode: 'open', attestedState, hostNames };
}

interface Store {
  readonly connectionString: string;
  /** How an operator connects with SQL. */
  readonly sql: string;
}

async function openStore(config: Config, logger: Logger, stops: Stops): Promise<Store> {
  if (config.databaseUrl !== undefined) {
    return {
      connectionString: config.databaseUrl,
      sql: 'psql "$DATABASE_URL"',
    };
  }
  const opening = startEmbeddedPostgres({
    dataDirectory: config.dataDirectory,
    log: (line) => {
      logger.info(line);
    },
  });
  // Before it has started: a signal in the first second must not leave it behind.
  stops.steps.push(() =>
    opening.then(
      (embedded) => embedded.stop(),
      () => undefined,
    ),
  );
  const embedded = await opening;
  return {
    connectionString: embedded.connectionString,
    sql: `PGSERVICEFILE=${embedded.serviceFile} psql service=continuity_gate`,
  };
}

/** Applies the migrations or, as a role that may not, checks them; a store that is only just starting is waited for. */
async function migrateWithPatience(connectionString: string, logger: Logger): Promise<void> {
  const deadline = Date.now() + startPatience;
  for (;;) {
    try {
      await migrate(connectionString);
      return;
    } catch (error) {
      if (!(error instanceof Error) || !isNotUpYet(error) || Date.now() > deadline) throw error;
      logger.warn({ reason: error.message }, 'The governed store is not up yet; trying again');
      await sleep(1_000);
    }
  }
}

/** The port is taken, or not ours to take. */
function isAboutListening(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen';
}

function isNotUpYet(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', '57P03'].includes(code);
}

function announce(config: Config, logger: Logger, address: string, sql: string): void {
  if (!config.identityProvider) {
    logger.warn(
      'NO IDENTITY PROVIDER IS CONFIGURED: this gate is open, and everyone who reaches it may call it as anyone',
    );
  }
  logger.info(`Listening on ${address}`);
  logger.info(`API docs at ${address}/docs, OpenAPI document at ${address}/openapi.json`);
  logger.info(`SQL: ${sql}`);
}
