import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { uuidv7 } from 'uuidv7';

import {
  KeyTooLongError,
  OverloadedError,
  RuleBrokenError,
  StoreUnavailableError,
} from '../../app/store-errors.js';
import { ContinuityFormatError } from '../../domain/format-error.js';
import { Problem, problemBody, stopProblemBody } from '../problems.js';
import { commonHeaders } from './answer-headers.js';

/**
 * Turns everything that was thrown into an answer, in one place.
 *
 * `/rehydrate` answers every error as a stop, so that a runtime that understands nothing else still does not resume;
 * all other routes answer with RFC 9457 problem details. What is not a `Problem` by then is a bug: it is logged in full
 * and told to nobody.
 */
export const errorAnswers = fastifyPlugin(
  (app, _options, done) => {
    app.setErrorHandler(answerError);
    app.setNotFoundHandler((request, reply) =>
      sendProblem(
        request,
        reply,
        new Problem('route_not_found', 'No route of the gate has this method and path'),
      ),
    );
    done();
  },
  { name: 'error-answers' },
);

/** Answers anything that was thrown. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblem(error);
  if (error instanceof RuleBrokenError) {
    request.server.metrics.ruleBroken(error.rule);
    request.log.error(
      { rule: error.rule, err: error.cause },
      'The governed store refused by its rules what the gate wrote',
    );
  } else if (problem.status >= 500) request.log.error({ err: problem.cause ?? problem }, problem.message);
  return sendProblem(request, reply, problem);
}

/** Writes a problem as the route at hand answers errors. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  reply.code(problem.status).headers(problem.headers);
  if (problem.status === 503) reply.header('retry-after', '1');
  return isRehydration(request)
    ? reply.type('application/json').send(stopProblemBody(problem, request.id))
    : reply.type('application/problem+json').send(problemBody(problem, request.id));
}

/** The route may be written as a whole URL or with escapes; where no route was found, the path has to do. */
function isRehydration({ url, routeOptions }: FastifyRequest): boolean {
  return routeOptions.url === '/rehydrate' || /^(?:https?:\/\/[^/]*)?\/rehydrate(?:[/?#]|$)/.test(url);
}

function toProblem(error: FastifyError): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof ContinuityFormatError) {
    return new Problem('schema_invalid', error.message, { faults: error.faults });
  }
  if (error instanceof StoreUnavailableError) {
    return new Problem('governed_store_unavailable', error.message, { cause: error.cause });
  }
  if (error instanceof OverloadedError) return new Problem('overloaded', error.message);
  if (error instanceof KeyTooLongError) return new Problem('schema_invalid', error.message);
  return fromFastify(error);
}

/** The framework's own errors, by their codes; whatever else it calls the caller's fault is a malformed request. */
function fromFastify(error: FastifyError): Problem {
  switch (error.code) {
    case 'FST_ERR_VALIDATION':
      return invalidParameters(error);
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('body_too_large', 'A request body may have at most 1 MiB');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('unsupported_media_type', 'A request body must be application/json');
    default:
      return error.statusCode !== undefined && error.statusCode < 500
        ? new Problem('schema_invalid', 'The request is malformed', { cause: error })
        : new Problem('internal_error', 'The gate failed; nothing was decided', { cause: error });
  }
}

function invalidParameters({ validation = [], validationContext }: FastifyError): Problem {
  const faults = validation.map(({ instancePath, message = 'is not valid' }) => ({
    pointer: `/${validationContext ?? 'request'}${instancePath}`,
    message,
  }));
  return new Problem('schema_invalid', 'A parameter of the request is not valid', { faults });
}

/**
 * Answers what is not HTTP or never arrived whole. No route is known then, so that everyone gets the answer that
 * stops the callers of `/rehydrate`.
 */
export function answerClientError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, detail] = meaningOf(error.code);
  const body = JSON.stringify(stopProblemBody(new Problem('schema_invalid', detail), uuidv7()));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...Object.entries(commonHeaders).map(([name, value]) => `${name}: ${value}`),
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroy(error);
}

function meaningOf(code: string): [status: number, detail: string] {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'The request did not arrive in time'];
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'The head of the request is too large'];
    default:
      return [400, 'The request is not HTTP'];
  }
}
