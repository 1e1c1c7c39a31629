import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Logger } from 'pino';

import type { Config } from './config.js';
import { startEmbeddedPostgres } from './embedded-postgres/start.js';
import { developmentKeyPrefix } from './http/auth/development-keys.js';
import { fileKeys, remoteKeys, type KeySource } from './http/auth/key-sources.js';
import { buildApp } from './http/build-app.js';
import type { AccessOptions } from './http/plugins/access.js';
import { startTelemetry } from './observability/telemetry.js';
import { ensureReceiptKeys, readReceiptKeys } from './receipts/keys.js';
import { createReceiptSigner, type ReceiptSigner } from './receipts/sign-receipt.js';
import { joinReplicas } from './replicas.js';
import { Stops } from './stops.js';
import { Database } from './store/database.js';
import { knownSchemaVersion, migrate } from './store/migrate.js';

/** A gate that serves. */
export interface RunningGate {
  /** Where it listens. */
  readonly url: string;
  /** How an operator connects to its store with SQL. */
  readonly sql: string;
  /** Answers the requests in flight and stops everything. May be called more than once. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly logger: Logger;
  /** Takes what is started, so that a stop can be asked for while the start is still going on. */
  readonly stops?: Stops;
  /** Server settings of an embedded Postgres, such as `fsync`. */
  readonly postgresSettings?: Readonly<Record<string, string>>;
}

/** How far ahead of need the trace has partitions, and how often more are made, in milliseconds. */
const partitionMonthsAhead = 12;
const partitionInterval = 24 * 60 * 60 * 1_000;

/** How long a store that is not up yet is waited for. */
const startPatience = 60_000;

/** How long requests in flight may take once the stop has begun. */
const answerPatience = 10_000;

/**
 * Starts a gate in this process: the store, the schema and the service, in this order. A start that fails half-way leaves
 * nothing running behind it.
 */
export async function start(config: Config, options: StartOptions): Promise<RunningGate> {
  const stops = options.stops ?? new Stops();
  try {
    return await startAll(config, { ...options, stops });
  } catch (error) {
    await stops.run();
    throw error;
  }
}

type Starting = StartOptions & { readonly stops: Stops };

async function startAll(config: Config, starting: Starting): Promise<RunningGate> {
  const { logger, stops } = starting;
  const { connectionString, sql } = await openStore(config, starting);
  await migrateWithPatience(connectionString, logger);
  const database = new Database({
    connectionString,
    ...config.database,
    onConnectionError: (error) => {
      logger.warn({ err: error }, 'A connection to the governed store broke');
    },
  });
  stops.push(() => database.close());
  await keepPartitionsAhead(database, starting);

  const receipts = await openReceipts(config);
  const replica = await joinReplicas(database, receipts.keys, logger);
  stops.push(() => replica.leave());
  const keySource = await openKeys(config, logger);
  stops.push(() => keySource?.close());
  const telemetry = config.tracing ? startTelemetry() : undefined;
  stops.push(() => telemetry?.stop());
  const app = await buildApp({
    database,
    schemaVersion: await knownSchemaVersion(),
    access: accessOf(config, keySource),
    receipts,
    limits: config.limits,
    metricsAccess: config.onLoopback ? 'direct' : ['trace:read'],
    ...(telemetry && { tracing: telemetry.plugin }),
    logger,
  });
  stops.push(() => app.close());
  stops.push(() => {
    // A caller that has not sent all of a request by then holds up everyone else's stop.
    setTimeout(() => {
      app.server.closeAllConnections();
    }, answerPatience).unref();
  });
  const url = await app.listen({ host: config.host, port: config.port });
  return { url, sql, stop: () => stops.run() };
}

interface OpenStore {
  readonly connectionString: string;
  readonly sql: string;
}

async function openStore(
  { databaseUrl, dataDirectory }: Config,
  { logger, stops, postgresSettings = {} }: Starting,
): Promise<OpenStore> {
  if (databaseUrl !== undefined) return { connectionString: databaseUrl, sql: 'psql "$DATABASE_URL"' };
  const opening = startEmbeddedPostgres({
    dataDirectory,
    settings: postgresSettings,
    log: (line) => {
      logger.info(line);
    },
  });
  // Before it has started: a stop in the first second must not leave it behind.
  stops.push(() =>
    opening.then(
      (embedded) => embedded.stop(),
      () => undefined,
    ),
  );
  const { connectionString, serviceFile } = await opening;
  return { connectionString, sql: `PGSERVICEFILE=${serviceFile} psql service=continuity_gate` };
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

function isNotUpYet(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', '57P03'].includes(code);
}

async function keepPartitionsAhead(database: Database, { logger, stops }: Starting): Promise<void> {
  await database.ensureTracePartitions(partitionMonthsAhead);
  const timer = setInterval(() => {
    database.ensureTracePartitions(partitionMonthsAhead).catch((error: unknown) => {
      logger.error({ err: error }, 'The trace partitions of the coming months could not be made');
    });
  }, partitionInterval);
  stops.push(() => {
    clearInterval(timer);
  });
}

async function openReceipts({ receipts, dataDirectory }: Config): Promise<ReceiptSigner> {
  const { keyFile } = receipts;
  const keys =
    keyFile === undefined
      ? await ensureReceiptKeys(join(dataDirectory, 'receipt-keys.json'))
      : await readReceiptKeys(keyFile);
  return createReceiptSigner(keys, receipts);
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

function accessOf(config: Config, keySource: KeySource | undefined): AccessOptions {
  const { attestedState, hostNames, identityProvider } = config;
  return identityProvider && keySource
    ? { mode: 'tokens', attestedState, rules: { ...identityProvider, keys: keySource.keys } }
    : { mode: 'open', attestedState, hostNames };
}
