import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { requestsOf } from '../support/requests.js';

/** A collector that keeps what it is sent. */
const received: string[] = [];
let collector: Server;
let store: TestDatabase;
let dataDirectory: string;

beforeAll(async () => {
  store = await createTestDatabase();
  dataDirectory = await mkdtemp(join(tmpdir(), 'continuity-gate-telemetry-'));
  collector = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(body);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
});

afterAll(async () => {
  collector.close();
  await rm(dataDirectory, { recursive: true });
  await store.drop();
});

it('sends spans with the decision to the collector, in the trace of the caller', async () => {
  const { port } = collector.address() as AddressInfo;
  const service = spawn(process.execPath, [fileURLToPath(new URL('../../dist/server.js', import.meta.url))], {
    env: {
      DATABASE_URL: store.connectionString,
      CONTINUITY_DATA_DIR: dataDirectory,
      PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${String(port)}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await listeningAt(service.stdout);
  const requests = requestsOf(randomUUID());
  const trace_id = randomUUID().replaceAll('-', '');
  const headers = { 'content-type': 'application/json', traceparent: `00-${trace_id}-b7ad6b7169203331-01` };
  const post = (path: string, body: unknown) =>
    fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  await post('/envelopes', requests.sealRequest());
  const answer = await post('/rehydrate', requests.rehydrateRequest({ summary: 'Another summary.' }));
  expect(answer.status).toBe(422);
  service.kill('SIGTERM');
  await once(service, 'close');

  const sent = received.join('');
  expect(sent).toContain(trace_id);
  for (const word of ['continuity_validation_failed', 'summary_digest_mismatch', requests.session_id]) {
    expect(sent).toContain(word);
  }
  expect(sent).not.toContain('Another summary.');
});

async function listeningAt(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(stdout)) {
    const address = /Listening on (http:\/\/[^"\s]+)/.exec(line)?.[1];
    if (address !== undefined) {
      stdout.resume();
      return address;
    }
  }
  throw new Error('The service ended at its start');
}
