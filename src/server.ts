import type { Logger } from 'pino';

import { ConfigError, readConfig, type Config } from './config.js';
import { EmbeddedPostgresError } from './embedded-postgres/error.js';
import { KeyFileError } from './http/auth/key-sources.js';
import { createLogger } from './observability/logger.js';
import { ReceiptKeyError } from './receipts/keys.js';
import { start, type RunningGate } from './start-gate.js';
import { Stops } from './stops.js';
import { SchemaError } from './store/migrate.js';

/** What asks the service to stop. */
const signals: ('SIGINT' | 'SIGTERM')[] = ['SIGINT', 'SIGTERM'];

/** How long all of the stop may take. */
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

/** Serves until a signal. */
async function serve(config: Config, logger: Logger): Promise<void> {
  const stops = new Stops();
  const asked = stopOnSignals(stops, logger);
  try {
    announce(config, logger, await start(config, { logger, stops }));
  } catch (error) {
    // A start that a signal has cut off fails for that alone, and the signal's own stop ends the process.
    if (!asked.aborted) throw error;
  }
}

/**
 * Heeds signals from the first moment on: as the first process of a container, Node would ignore them. Returns whether one
 * has come.
 *
 * A signal may come several times: Ctrl-C on `npm start` arrives from the terminal and from npm, and a service manager
 * sends its own to every process of the group. Neither a second one nor an error on the way cuts the stop short, since
 * half of it would leave the embedded Postgres behind; only its patience does.
 */
function stopOnSignals(stops: Stops, logger: Logger): AbortSignal {
  const asked = new AbortController();
  const end = async (exitCode: number): Promise<void> => {
    if (asked.signal.aborted) return;
    asked.abort();
    setTimeout(() => {
      logger.error(`The stop took longer than ${closeDelay / 1_000} s, and is cut off`);
      process.exit(1);
    }, closeDelay).unref();
    await stops.run().catch((error: unknown) => {
      logger.error({ err: error }, 'The stop failed half-way');
      exitCode = 1;
    });
    process.exit(exitCode);
  };
  for (const signal of signals) {
    process.on(signal, () => {
      if (!asked.signal.aborted) logger.info(`Stopping after ${signal}`);
      void end(0);
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      logger.fatal({ err: error }, 'Stopping for an error that nobody has caught');
      void end(1);
    });
  }
  return asked.signal;
}

/** The port is taken, or not ours to take. */
function isAboutListening(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen';
}

function announce(config: Config, logger: Logger, { url, sql }: RunningGate): void {
  if (!config.identityProvider) {
    logger.warn(
      'NO IDENTITY PROVIDER IS CONFIGURED: this gate is open, and everyone who reaches it may call it as anyone',
    );
  }
  logger.info(`Listening on ${url}`);
  logger.info(`API docs at ${url}/docs, OpenAPI document at ${url}/openapi.json`);
  logger.info(`SQL: ${sql}`);
}
