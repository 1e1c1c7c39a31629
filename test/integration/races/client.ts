import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

import type { Gate } from './gates.js';

const agent = new Agent({ keepAlive: true });

/** One request with its answer, timed by the one clock of the process that asks. */
export interface Timed {
  /** Milliseconds of a monotonic clock, before the first byte was sent and after the last one had come. */
  readonly start: number;
  readonly end: number;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export async function send(
  { url }: Gate,
  method: 'GET' | 'PUT' | 'POST',
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Timed> {
  const start = performance.now();
  const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const outgoing = request(new URL(path, url), {
      method,
      agent,
      headers: { 'content-type': 'application/json', ...headers },
    });
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      text(incoming).then((content) => {
        resolve({ status: incoming.statusCode ?? 0, text: content });
      }, reject);
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
  const end = performance.now();
  return { start, end, status: answer.status, body: JSON.parse(answer.text) as Timed['body'] };
}
