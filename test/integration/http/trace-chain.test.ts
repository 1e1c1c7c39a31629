import { Type, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canonical, sha256Hex } from '../../support/canonical-json.js';
import { requestsOf, type Requests } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { readTrace } from '../../support/trace-pages.js';

const ChainedEvent = Type.Object({
  session_id: Type.String(),
  sequence: Type.Integer(),
  previous_sha256: Type.String(),
  event_sha256: Type.String(),
});
type ChainedEvent = Static<typeof ChainedEvent>;

let gate: TestApp;
let replica: TestApp;

beforeAll(async () => {
  gate = await createTestApp();
  replica = await createTestApp({ connectionString: gate.connectionString });
});

afterAll(async () => {
  await replica.close();
  await gate.close();
});

it('anyone can recompute the chain of every session, after any mix of calls at the same moment', async () => {
  const runs = ['north', 'south'].map((prefix) => requestsOf(prefix));
  const random = randomNumbers(20_261_201);
  for (let batch = 0; batch < 12; batch += 1) {
    await Promise.all(Array.from({ length: 8 }, () => anyCall(random, runs)));
  }

  for (const { tenant_id } of runs) {
    const [stored] = await gate.query<{ count: number }>(
      'select count(*)::integer from trace_events where tenant_id = $1',
      [tenant_id],
    );
    const chains = chainsOf(await readTrace(gate, { tenant_id, limit: '7' }, stored?.count ?? 0));
    expect(chains.size).toBe(sessions.length);
    for (const [session_id, chain] of chains) {
      expectIntact(chain);
      expect(await tipOf(tenant_id, session_id)).toEqual({
        sequence: chain.length,
        sha256: chain.at(-1)?.event_sha256,
      });
    }
  }
});

it('a changed event no longer hashes to its digest', async () => {
  const run = requestsOf('changed');
  await gate.seal(run.sealRequest());
  const [chain] = chainsOf(await readTrace(gate, { tenant_id: run.tenant_id }, 1)).values();

  expect(() => {
    expectIntact((chain ?? []).map((event) => ({ ...event, actor: 'someone else' })));
  }).toThrow('expected');
});

const sessions = ['s-1', 's-2', 's-3'];

/** A call that may be accepted, refused, repeated or stopped: what it leaves is linked to what was there. */
async function anyCall(random: () => number, runs: readonly Requests[]): Promise<void> {
  const pick = <T>(...choices: readonly T[]): T | undefined => choices[Math.floor(random() * choices.length)];
  const run = pick(...runs) ?? requestsOf('never');
  const session_id = pick(...sessions);
  const envelope_id = `${session_id ?? ''}-${pick('a', 'b', 'c') ?? ''}`;
  const app = pick(gate, replica) ?? gate;
  const session_epoch = pick(undefined, 0, 1, 2);
  const summary = pick(undefined, 'another one');
  if (random() < 0.4) {
    const envelope = { session_id, envelope_id, pending_obligations: pick([run.obligation_id], []) };
    await app.seal(run.sealRequest({ envelope, session_epoch, ...(summary && { summary }) }));
  } else {
    const key = pick(undefined, 'k-1', 'k-2', 'k-3');
    const request = { session_id, envelope_id, session_epoch, ...(summary && { summary }) };
    await app.rehydrate(run.rehydrateRequest(request), key ? { 'idempotency-key': key } : {});
  }
}

function chainsOf(events: readonly unknown[]): Map<string, ChainedEvent[]> {
  const chains = new Map<string, ChainedEvent[]>();
  for (const event of events) {
    if (!Value.Check(ChainedEvent, event)) throw new Error(`This is no event: ${JSON.stringify(event)}`);
    chains.set(event.session_id, [...(chains.get(event.session_id) ?? []), event]);
  }
  return new Map(
    [...chains].map(([session, chain]) => [
      session,
      chain.sort((one, other) => one.sequence - other.sequence),
    ]),
  );
}

function expectIntact(chain: readonly ChainedEvent[]): void {
  let previous = '0'.repeat(64);
  for (const [index, event] of chain.entries()) {
    const { event_sha256, ...digested } = event;
    expect(event.sequence).toBe(index + 1);
    expect(event.previous_sha256).toBe(previous);
    expect(event_sha256).toBe(sha256Hex(canonical(digested)));
    previous = event_sha256;
  }
}

async function tipOf(tenantId: string, sessionId: string): Promise<unknown> {
  const [head] = await gate.query(
    `select trace_sequence::integer as sequence, trace_sha256 as sha256
       from session_heads where tenant_id = $1 and session_id = $2`,
    [tenantId, sessionId],
  );
  return head;
}

/** The same numbers in every run: mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
