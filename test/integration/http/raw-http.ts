import { connect } from 'node:net';

import { Answer } from '../../support/answer.js';

/** A request with its every byte as given: most of what is wrong with one, no HTTP client would send. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  /** Each line is sent as it stands, in Latin-1. */
  readonly headerLines: readonly string[];
  readonly body: Buffer;
}

/** Sends a request to a port of this machine, on a connection of its own, and waits for the end of its answer. */
export async function sendRaw(port: number, request: RawRequest): Promise<Answer> {
  const head = [`${request.method} ${request.target} HTTP/1.1`, ...request.headerLines, '', ''].join('\r\n');
  return parseAnswer(await exchange(port, Buffer.concat([Buffer.from(head, 'latin1'), request.body])));
}

/** All that comes back until the other side ends the connection. */
function exchange(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => {
      resolve(Buffer.concat(chunks));
    });
    socket.on('error', (error) => {
      // A server that has answered before it has read everything may reset the connection after its answer.
      if (chunks.length === 0) reject(error);
    });
    socket.write(bytes);
  });
}

function parseAnswer(bytes: Buffer): Answer {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...headerLines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = headerLines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const status = Number(statusLine.split(' ')[1]);
  return new Answer(status, Object.fromEntries(headers), bytes.subarray(end + 4).toString('utf8'));
}
