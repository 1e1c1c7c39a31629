import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../support/answer.js';
import { storedEpoch } from '../../support/expect-stop.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

let gate: TestApp;

beforeAll(async () => {
  gate = await createTestApp();
});

afterAll(() => gate.close());

const key = { 'idempotency-key': 'resume-1' };

describe('a stop', () => {
  it('is repeated as it was, to the letter and with no second event', async () => {
    const run = requestsOf('stop');
    await gate.seal(run.sealRequest());
    const request = run.rehydrateRequest({
      current_state: run.attestedState({ policy_version: 'policy-v5' }),
    });
    const first = await gate.rehydrate(request, key);
    const events = await gate.storedEvents(run);

    const again = await gate.rehydrate(request, key);

    expect(first.status).toBe(422);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(await gate.storedEvents(run)).toEqual(events);
  });

  it('is repeated even when what stopped it has passed', async () => {
    const run = requestsOf('stop-passed');
    await gate.seal(run.sealRequest());
    await gate.seal(run.sealRequest({ envelope: { envelope_id: 'newer' } }));
    const first = await gate.rehydrate(run.rehydrateRequest(), key);
    await gate.rehydrate(run.rehydrateRequest({ envelope_id: 'newer' }));

    expect((await gate.rehydrate(run.rehydrateRequest(), key)).text).toBe(first.text);
    // Without the key the request is another one, whose epoch is another one too.
    expect((await gate.rehydrate(run.rehydrateRequest({ session_epoch: 0 }))).body).toMatchObject({
      findings: [{ reason: 'envelope_superseded' }, { reason: 'stale_epoch' }],
    });
  });

  it('that no rule has made is kept as well', async () => {
    const run = requestsOf('stop-unknown');
    const first = await gate.rehydrate(run.rehydrateRequest(), key);
    await gate.seal(run.sealRequest());

    const again = await gate.rehydrate(run.rehydrateRequest(), key);

    expect([first.status, again.status]).toEqual([404, 404]);
    expect(await gate.storedEvents(run)).toHaveLength(2);
  });

  it('is known by a request that is written in another way', async () => {
    const run = requestsOf('stop-rewritten');
    const first = await gate.rehydrate(run.rehydrateRequest(), key);
    const reversed = Object.fromEntries(Object.entries(run.rehydrateRequest()).reverse());

    const again = await gate.rehydrate({ ...reversed, principal_id: ` ${run.principal_id} ` }, key);

    expect([first.status, again.status]).toEqual([404, 404]);
    expect(await gate.storedEvents(run)).toHaveLength(1);
  });
});

describe('a go', () => {
  it('is repeated with the same decision and epoch while it holds, with no second event', async () => {
    const run = requestsOf('go');
    await gate.seal(run.sealRequest());
    const request = run.rehydrateRequest({ session_epoch: 0 });
    const first = await gate.rehydrate(request, key);

    const again = await gate.rehydrate(request, key);

    expect(again.status).toBe(200);
    expect(withoutReceipt(again)).toEqual(withoutReceipt(first));
    expect(await gate.storedEvents(run)).toHaveLength(2);
    expect(await storedEpoch(gate, run)).toEqual({ session_epoch: 1, held_by: 'go-runtime' });
  });

  it('is decided anew once someone else has resumed, and fences that one off', async () => {
    const run = requestsOf('go-fenced');
    await gate.seal(run.sealRequest());
    const first = await gate.rehydrate(run.rehydrateRequest(), key);
    await gate.rehydrate(run.rehydrateRequest({ runtime_id: 'someone-else' }));

    const again = await gate.rehydrate(run.rehydrateRequest(), key);
    const oncemore = await gate.rehydrate(run.rehydrateRequest(), key);

    expect(again.body).toMatchObject({ session_epoch: 3, held_by: 'go-fenced-runtime' });
    expect(again.string('/decision_id')).not.toBe(first.string('/decision_id'));
    expect(withoutReceipt(oncemore)).toEqual(withoutReceipt(again));
    expect(await gate.storedEvents(run)).toHaveLength(4);
  });

  it('is decided anew, and stops a request that named its epoch, once someone else has resumed', async () => {
    const run = requestsOf('go-stale');
    await gate.seal(run.sealRequest());
    const request = run.rehydrateRequest({ session_epoch: 0 });
    await gate.rehydrate(request, key);
    await gate.rehydrate(run.rehydrateRequest({ runtime_id: 'someone-else' }));

    const again = await gate.rehydrate(request, key);

    expect(again.status).toBe(422);
    expect(again.body).toMatchObject({ reason: 'stale_epoch' });
    expect((await gate.rehydrate(request, key)).text).toBe(again.text);
    expect(await gate.storedEvents(run)).toHaveLength(4);
    expect(await storedEpoch(gate, run)).toEqual({ session_epoch: 2, held_by: 'someone-else' });
  });

  it('is decided anew once the session has a newer envelope', async () => {
    const run = requestsOf('go-superseded');
    await gate.seal(run.sealRequest());
    await gate.rehydrate(run.rehydrateRequest(), key);
    await gate.seal(run.sealRequest({ envelope: { envelope_id: 'newer' }, session_epoch: 1 }));

    const again = await gate.rehydrate(run.rehydrateRequest(), key);

    expect(again.status).toBe(422);
    expect(again.body).toMatchObject({ findings: [{ reason: 'envelope_superseded' }] });
    expect((await gate.rehydrate(run.rehydrateRequest(), key)).text).toBe(again.text);
    expect(await gate.storedEvents(run)).toHaveLength(4);
  });

  it('is decided anew once its approval has run out', async () => {
    const run = requestsOf('go-expired');
    const [soon] = await gate.query<{ moment: string }>(
      `select rfc3339(clock_timestamp() + interval '3 seconds') as moment`,
    );
    await gate.seal(run.sealRequest({ envelope: { approval_expires_at: soon?.moment } }));
    const first = await gate.rehydrate(run.rehydrateRequest(), key);
    await sleep(3_000);

    const again = await gate.rehydrate(run.rehydrateRequest(), key);

    expect(first.status).toBe(200);
    expect(again.status).toBe(422);
    expect(again.body).toMatchObject({ findings: [{ reason: 'approval_expired' }] });
    expect(await storedEpoch(gate, run)).toEqual({ session_epoch: 1, held_by: 'go-expired-runtime' });
  });
});

describe('a key', () => {
  it.each([
    ['another summary', { summary: 'another one' }],
    ['another trace', { trace_id: 'another' }],
    ['another session', { session_id: 'another' }],
    ['no runtime', { runtime_id: undefined }],
  ])('that stands for another request refuses one with %s, and leaves nothing', async (what, changes) => {
    const run = requestsOf(`reused with ${what}`);
    await gate.seal(run.sealRequest());
    await gate.rehydrate(run.rehydrateRequest(), key);

    const answer = await gate.rehydrate(run.rehydrateRequest(changes), key);

    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      status: 'continuity_validation_failed',
      reason: 'idempotency_key_reused',
      authorized: false,
      requires_reauthorization: true,
      code: 'idempotency_key_reused',
    });
    expect(await gate.storedEvents(run)).toHaveLength(2);
    expect(await gate.storedEvents({ ...run, session_id: 'another' })).toEqual([]);
    expect(await storedEpoch(gate, run)).toMatchObject({ session_epoch: 1 });
  });

  it("is its tenant's own", async () => {
    for (const run of [requestsOf('keyed-one'), requestsOf('keyed-two')]) {
      await gate.seal(run.sealRequest());
      expect((await gate.rehydrate(run.rehydrateRequest(), key)).status).toBe(200);
    }
  });

  it('is forgotten after a day, and kept until then', async () => {
    const run = requestsOf('aged');
    const age = (interval: string) =>
      gate.query(`update idempotency_keys set created_at = created_at - $2::interval where tenant_id = $1`, [
        run.tenant_id,
        interval,
      ]);
    await gate.rehydrate(run.rehydrateRequest(), key);
    await gate.seal(run.sealRequest());

    await age('23 hours 59 minutes');
    expect((await gate.rehydrate(run.rehydrateRequest(), key)).status).toBe(404);
    await age('1 minute');
    expect((await gate.rehydrate(run.rehydrateRequest(), key)).status).toBe(200);
  });

  it('of a malformed request is not spent', async () => {
    const run = requestsOf('unspent');
    await gate.seal(run.sealRequest());
    await gate.rehydrate(run.rehydrateRequest({ summary: 7 }), key);

    expect((await gate.rehydrate(run.rehydrateRequest(), key)).status).toBe(200);
  });

  it.each([
    ['blank', '  '],
    ['of 513 characters', 'k'.repeat(513)],
    ['with a tab in it', 'a\tb'],
    ['with a C1 control in it', 'a\u0085b'],
  ])('that is %s is refused', async (_what, value) => {
    const run = requestsOf('malformed');

    const answer = await gate.rehydrate(run.rehydrateRequest(), { 'idempotency-key': value });

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      reason: 'schema_invalid',
      authorized: false,
      errors: [{ pointer: '/headers/idempotency-key' }],
    });
    expect(await gate.storedEvents(run)).toEqual([]);
  });
});

describe('duplicates at the same moment', () => {
  it('get one decision, one event and one epoch', async () => {
    const run = requestsOf('duplicates');
    await gate.seal(run.sealRequest());

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => gate.rehydrate(run.rehydrateRequest(), key)),
    );

    expect(new Set(answers.map((answer) => JSON.stringify(withoutReceipt(answer)))).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({ session_epoch: 1 });
    expect(await gate.storedEvents(run)).toHaveLength(2);
  });

  it('with other bodies: the first has the key, and nobody else gets anything', async () => {
    const run = requestsOf('rivals');
    await gate.seal(run.sealRequest());

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        gate.rehydrate(run.rehydrateRequest({ runtime_id: `runtime-${index}` }), key),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(422)]);
    expect(await gate.storedEvents(run)).toHaveLength(2);
  });

  it('in several processes get one decision, too', async () => {
    const run = requestsOf('replicas');
    await gate.seal(run.sealRequest());
    const { connectionString } = gate;
    const replicas = await Promise.all([1, 2].map(() => createTestApp({ connectionString })));

    const answers = await Promise.all(
      [...replicas, gate, ...replicas].map((app) => app.rehydrate(run.rehydrateRequest(), key)),
    );

    for (const replica of replicas) await replica.close();
    expect(new Set(answers.map((answer) => answer.string('/decision_id'))).size).toBe(1);
    expect(await gate.storedEvents(run)).toHaveLength(2);
  });
});

/** Every receipt is a fresh one. */
function withoutReceipt(answer: Answer): unknown {
  return { ...Object(answer.body), receipt: undefined } as unknown;
}
