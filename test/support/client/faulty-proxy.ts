import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What the gate answered, and what of it goes on. */
export interface Passed {
  readonly status: number;
  readonly body: string;
}

/** What happens to an answer: another one takes its place, it breaks off, or it never comes. */
export type Fault = (answer: Passed) => Passed | { readonly cutAt: number } | 'silence';

/** Stands between the client and the gate, and harms the answers of one path. */
export interface FaultyProxy {
  readonly url: string;
  fault: Fault;
  /** The answers of the gate to `/rehydrate`, in their order. */
  readonly answers: Passed[];
  close(): Promise<void>;
}

export async function startFaultyProxy(gate: string): Promise<FaultyProxy> {
  const answers: Passed[] = [];
  const server = createServer((request, response) => {
    void pass(request, response).catch(() => response.destroy());
  });
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const key = headers['idempotency-key'];
    const forwarded = await fetch(new URL(url, gate), {
      method,
      headers: { 'content-type': 'application/json', ...(key && { 'idempotency-key': String(key) }) },
      ...(method === 'POST' && { body: await text(request) }),
    });
    const answer = { status: forwarded.status, body: await forwarded.text() };
    if (url === '/rehydrate') answers.push(answer);
    const harmed = url === '/rehydrate' ? proxy.fault(answer) : answer;
    if (harmed === 'silence') return;
    if ('status' in harmed) {
      send(response, harmed);
      return;
    }
    response.writeHead(answer.status, { ...json, 'content-length': Buffer.byteLength(answer.body) });
    response.write(answer.body.slice(0, harmed.cutAt), () => response.destroy());
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: (answer) => answer,
    answers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

const json = { 'content-type': 'application/json' };

function send(response: ServerResponse, { status, body }: Passed): void {
  response.writeHead(status, json).end(body);
}
