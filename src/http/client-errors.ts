import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import type { ConnectionError } from 'fastify';
import { uuidv7 } from 'uuidv7';

import { answerHeaders } from './answer-headers.js';
import { stopProblemBody } from './problem-body.js';
import { Problem } from './problems.js';

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
    ...Object.entries(answerHeaders).map(([name, value]) => `${name}: ${value}`),
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
