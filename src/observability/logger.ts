import type { FastifyRequest } from 'fastify';
import pg from 'pg';
import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';

import { framesOf, withoutQuery } from './redaction.js';

/**
 * The service's log: JSON lines.
 *
 * What Postgres says of an error may repeat what was being written, a constraint's text among it. Of such an error only
 * what can't is logged: its SQLSTATE, and the names of the table and constraint.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, serializers: { err: serializeError, req: serializeRequest } };
  return destination ? pino(options, destination) : pino(options);
}

function serializeRequest({ method, url, host, ip }: FastifyRequest): unknown {
  return { method, path: withoutQuery(url), host, remoteAddress: ip };
}

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error;
  if (!(error instanceof pg.DatabaseError)) {
    const { type, message, stack } = stdSerializers.err(error);
    const cause = error.cause === undefined ? {} : { cause: serializeError(error.cause) };
    return { type, message, stack, ...cause };
  }
  const { code, table, constraint, routine } = error;
  return { type: 'DatabaseError', code, table, constraint, routine, stack: framesOf(error) };
}
