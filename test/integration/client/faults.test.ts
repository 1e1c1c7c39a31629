import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connectGate, type ResumeAnswer } from '../../../src/client/index.js';
import { boundaryOf } from '../../support/client/boundary.js';
import { startFaultyProxy, type Fault, type FaultyProxy } from '../../support/client/faulty-proxy.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let proxy: FaultyProxy;
const boundary = boundaryOf();

beforeAll(async () => {
  app = await createTestApp();
  proxy = await startFaultyProxy(await app.app.listen({ port: 0, host: '127.0.0.1' }));
  await connectGate({ url: proxy.url }).seal(boundary.seal());
  // A go to be replayed.
  expect(await resume('not_started', (answer) => answer)).toMatchObject({ kind: 'go' });
});

afterAll(async () => {
  await proxy.close();
  await app.close();
});

/** Resumes in a trace of its own, while the answers of the gate meet a fault. */
async function resume(effect: 'not_started' | 'side_effect_unknown', fault: Fault): Promise<ResumeAnswer> {
  proxy.fault = fault;
  const gate = connectGate({ url: proxy.url, tries: 1, timeoutMs: 1_000 });
  return gate.resume(
    boundary.resumption({ trace_id: randomUUID(), current_state: boundary.attested(effect) }),
  );
}

const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** Drops, truncates, and replays, each of which takes the answer away from the client. */
const takesAway: fc.Arbitrary<Fault> = fc.oneof(
  fraction.map((part): Fault => ({ body }) => ({ cutAt: Math.floor(part * body.length) })),
  fraction.map((part): Fault => ({ status, body }) => ({
    status,
    body: body.slice(0, Math.floor(part * body.length)),
  })),
  fc.constant<Fault>(() => proxy.answers[0] ?? { cutAt: 0 }),
  fc.constantFrom(200, 204, 302, 404, 500, 502, 503).map((status): Fault => ({ body }) => ({
    // A go under another status is no go; a stop under 200 is none either.
    status,
    body: status === 200 ? body.replace('"reauthorization_required"', '"authorized"') : body,
  })),
);

/** Another character somewhere. */
const corrupts = fc
  .tuple(fraction, fc.constantFrom('0', '"', 'x', '}', ' ', '\\'))
  .map(([part, character]): Fault => ({ status, body }) => {
    const place = Math.floor(part * body.length);
    return { status, body: body.slice(0, place) + character + body.slice(place + 1) };
  });

/** A stop that is told as a go, member by member. */
const forges = fc
  .subarray(['status', 'reason', 'http'], { minLength: 1 })
  .map((members): Fault => ({ status, body }) => ({
    status: members.includes('http') ? 200 : status,
    body: body
      .replace(/"status":"[^"]*"/, members.includes('status') ? '"status":"reauthorization_required"' : '$&')
      .replace(/"reason":"[^"]*"/, members.includes('reason') ? '"reason":"continuity_validated"' : '$&'),
  }));

describe('a faulty way to the gate', { timeout: 120_000 }, () => {
  it('never makes a go of a stop: 150 runs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(takesAway, corrupts, forges), async (fault) => {
        expect((await resume('side_effect_unknown', fault)).kind).not.toBe('go');
      }),
      { numRuns: 150 },
    );
  });

  it('makes no go of a go whose answer did not come: 100 runs', async () => {
    await fc.assert(
      fc.asyncProperty(takesAway, async (fault) => {
        expect(await resume('not_started', fault)).toMatchObject({ kind: 'could_not_ask' });
      }),
      { numRuns: 100 },
    );
  });

  it('makes no other go of a go: what decides is what the gate said, or there is no go: 150 runs', async () => {
    await fc.assert(
      fc.asyncProperty(corrupts, async (fault) => {
        const answer = await resume('not_started', fault);
        if (answer.kind !== 'go') {
          expect(answer.kind).toBe('could_not_ask');
          return;
        }
        const said = JSON.parse(proxy.answers.at(-1)?.body ?? '') as Record<string, unknown>;
        const { decision_id, session_epoch, receipt, trace_id, envelope_id, versions } = answer;
        expect(said).toMatchObject({ decision_id, session_epoch, trace_id, envelope_id, versions });
        expect(receipt.split('.').slice(0, 2)).toEqual(String(said['receipt']).split('.').slice(0, 2));
      }),
      { numRuns: 150 },
    );
  });

  it('that stays silent is a stop of its own', async () => {
    expect(await resume('not_started', () => 'silence')).toMatchObject({ failure: 'timeout' });
  });

  it('that stays silent is a stop too when memory was cleared up meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const collecting = setInterval(collectGarbage, 100);
    try {
      expect(await resume('not_started', () => 'silence')).toMatchObject({ failure: 'timeout' });
    } finally {
      clearInterval(collecting);
    }
  });

  it('that leads nowhere is a stop of its own', async () => {
    const nowhere = connectGate({ url: 'http://127.0.0.1:9', tries: 1 });
    expect(await nowhere.resume(boundary.resumption())).toMatchObject({ failure: 'unreachable' });
  });
});
