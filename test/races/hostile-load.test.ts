import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

import fc from 'fast-check';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { matchingRecords } from '../support/records.js';
import { requestsOf } from '../support/requests.js';
import { startGate, type GateInProcess } from './gates.js';

/** Requests in all, those after which memory is expected to stay as it is, and how many are drawn at a time. */
const requests = 20_000;
const warmUp = 10_000;
const drawn = 5_000;
const clients = 16;

/** What a leak of a kilobyte a request would come to is more. */
const mayGrowMegabytes = 60;

let store: TestDatabase;
let gate: GateInProcess;

beforeAll(async () => {
  store = await createTestDatabase();
  gate = await startGate({ connectionString: store.connectionString, mutant: 'none' });
});

afterAll(async () => {
  await gate.stop();
  await store.drop();
});

it(
  `answers ${requests} malformed requests without a 5xx, in the same memory`,
  { timeout: 600_000 },
  async () => {
    const pool = new Pool(gate.url, { connections: clients, pipelining: 1 });
    const statuses = new Map<number, number>();
    let memoryAfterWarmUp = 0;

    for (let sent = 0; sent < requests; sent += drawn) {
      if (sent === warmUp) memoryAfterWarmUp = await megabytesOf(gate);
      const some = fc.sample(hostile, { seed: sent, numRuns: drawn }).values();
      await Promise.all(
        Array.from({ length: clients }, async () => {
          for (const request of some) {
            const { statusCode, body } = await pool.request(request);
            await body.dump();
            statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
          }
        }),
      );
    }

    const memory = await megabytesOf(gate);
    console.log(
      `${requests} requests:`,
      Object.fromEntries(statuses),
      `${memoryAfterWarmUp} MB, then ${memory} MB`,
    );
    await pool.close();
    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    expect(memory - memoryAfterWarmUp).toBeLessThan(mayGrowMegabytes);
  },
);

const run = requestsOf('hostile');

/** Valid requests, to be spoilt. */
const valid = [
  { path: '/envelopes', body: run.sealRequest() as object },
  { path: '/rehydrate', body: run.rehydrateRequest() as object },
  ...Object.values(matchingRecords(run)).map(({ path, body }) => ({
    path: `/tenants/${run.tenant_id}/${path}`,
    body,
  })),
];

const someValue = fc.jsonValue({ maxDepth: 2 });

/** One member of the body is something else, or there is one more. */
const spoilt = fc
  .tuple(fc.constantFrom(...valid), fc.nat(40), fc.string({ maxLength: 8 }), someValue)
  .map(([{ path, body }, place, extra, value]) => {
    const name = Object.keys(body)[place] ?? `x${extra}`;
    return { path, body: JSON.stringify({ ...body, [name]: value }) };
  });

/** It ends half-way. */
const cut = fc
  .tuple(fc.constantFrom(...valid), fc.nat(400))
  .map(([{ path, body }, length]) => ({ path, body: JSON.stringify(body).slice(0, length) }));

const anything = fc.record({
  path: fc.constantFrom(
    ...valid.map(({ path }) => path),
    '/inspect-continuity',
    '/no-such-route',
    '/tenants/%00/policy',
  ),
  body: fc.oneof(fc.json({ maxDepth: 4 }), fc.string({ unit: 'binary', maxLength: 60 })),
});

/** Most are what they should be, or nothing would be read of most bodies. */
const contentTypes = [
  ...Array<string>(8).fill('application/json'),
  'text/plain',
  'application/json; charset=utf-16',
];

const hostile = fc
  .tuple(fc.oneof(spoilt, cut, anything), fc.constantFrom(...contentTypes), fc.nat(19))
  .map(([{ path, body }, contentType, chance]) => ({
    method: path.startsWith('/tenants/') ? ('PUT' as const) : ('POST' as const),
    path,
    headers: { 'content-type': contentType, ...(chance === 0 && { 'content-encoding': 'gzip' }) },
    body: chance === 0 ? gzipSync(body) : body,
  }));

/** What the process takes of the machine's memory. */
async function megabytesOf({ child }: GateInProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_024);
}
