import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { edited, valueAt } from '../../support/edit-json.js';
import {
  changeRecord,
  matchingRecords,
  recordsOfTenant,
  writeMatchingRecords,
} from '../../support/records.js';
import { requestsOf, type Requests } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const settlement = {
  outcome: 'side_effect_committed',
  evidence_refs: ['provider:receipt-8812', 'log:7'],
  reconciled_by: 'reconciler-1',
};

let gate: TestApp;
let runs = 0;

beforeAll(async () => {
  gate = await createTestApp();
});

afterAll(() => gate.close());

describe('an unknown effect', () => {
  it.each(['side_effect_committed', 'not_started'])('is settled as %s on evidence', async (outcome) => {
    const run = await newUnknown();

    const settled = await settle(run, { ...settlement, outcome });

    expect([settled.status, settled.headers['etag']]).toEqual([200, '"2"']);
    expect(settled.body).toMatchObject({ side_effect_status: outcome, revision: 2 });
    expect((await recordsOf(run).get(matchingRecords(run).side_effect.path)).body).toEqual(settled.body);
  });

  it('leaves the event of its settlement, and no other', async () => {
    const run = await newUnknown();
    const before = await gate.storedEvents(run);

    await settle(run, settlement);

    const added = (await gate.storedEvents(run)).slice(before.length);
    expect(added.map(({ event_type, actor, payload }) => ({ event_type, actor, payload }))).toEqual([
      {
        event_type: 'side_effect_reconciled',
        actor: 'open',
        payload: { idempotency_key: run.idempotency_key, ...settlement, revision: 2 },
      },
    ]);
  });

  it('is settled once: the same again gets the same answer and leaves nothing', async () => {
    const run = await newUnknown();
    const settled = await settle(run, settlement);
    const events = await gate.storedEvents(run);

    const again = await settle(run, settlement);

    expect([again.status, again.text]).toEqual([200, settled.text]);
    expect(await gate.storedEvents(run)).toEqual(events);
  });

  it('is settled once by many at once', async () => {
    const run = await newUnknown();

    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => settle(run, settlement)),
      ...Array.from({ length: 4 }, () => settle(run, { ...settlement, outcome: 'not_started' })),
    ]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 409, 409, 409, 409]);
    const types = (await gate.storedEvents(run)).map(({ event_type }) => event_type);
    expect(types.filter((type) => type === 'side_effect_reconciled')).toHaveLength(1);
  });

  it('lets the session go on from the envelope that said unknown', async () => {
    const run = await newSealedUnknown();
    const blocked = await gate.rehydrate(resumption(run));
    expect(blocked.status).toBe(409);

    await recordsOf(run).post(
      blocked.string('/reconciliation/0/href').replace(`/tenants/${run.tenant_id}/`, ''),
      settlement,
    );

    const resumed = await gate.rehydrate(resumption(run));
    expect([resumed.status, resumed.string('/side_effect_status')]).toEqual([200, 'side_effect_committed']);
  });

  describe('that was settled as not started and was then written as committed', () => {
    it('stops the session at the envelope that said unknown', async () => {
      const run = await newSealedUnknown();
      await settle(run, { ...settlement, outcome: 'not_started' });
      await changeRecord(gate, run, 'side_effect', {
        set: { '/side_effect_status': 'side_effect_committed' },
      });

      const stopped = await gate.rehydrate(resumption(run));

      expect([stopped.status, stopped.string('/reason')]).toEqual([422, 'side_effect_status_changed']);
    });

    it('is not sealed as unknown any more', async () => {
      const run = newRun();
      await writeMatchingRecords(gate, run);
      await changeRecord(gate, run, 'side_effect', { set: { '/side_effect_status': 'side_effect_unknown' } });
      await settle(run, { ...settlement, outcome: 'not_started' });
      await changeRecord(gate, run, 'side_effect', {
        set: { '/side_effect_status': 'side_effect_committed' },
      });

      const refused = await gate.seal(
        run.sealRequest({ envelope: { side_effect_status: 'side_effect_unknown' } }),
      );

      expect([refused.status, refused.string('/reason')]).toEqual([422, 'side_effect_status_changed']);
    });

    it('lets the session go on when it became unknown in between and was settled again', async () => {
      const run = await newSealedUnknown();
      await settle(run, { ...settlement, outcome: 'not_started' });
      await changeRecord(gate, run, 'side_effect', { set: { '/side_effect_status': 'side_effect_unknown' } });
      await settle(run, settlement);

      const resumed = await gate.rehydrate(resumption(run));

      expect([resumed.status, resumed.string('/side_effect_status')]).toEqual([200, 'side_effect_committed']);
    });
  });

  it('that was not started may be started again, and be settled again', async () => {
    const run = await newUnknown();
    const notStarted = { ...settlement, outcome: 'not_started' };
    await settle(run, notStarted);
    await changeRecord(gate, run, 'side_effect', { set: { '/side_effect_status': 'side_effect_unknown' } });

    const settled = await settle(run, notStarted);

    expect(settled.body).toMatchObject({ side_effect_status: 'not_started', revision: 4 });
  });
});

describe('an effect that is not unknown', () => {
  it.each(['not_started', 'side_effect_committed'])('is not settled: %s', async (status) => {
    const run = newRun();
    await changeRecord(gate, run, 'side_effect', { set: { '/side_effect_status': status } });
    const events = await gate.storedEvents(run);

    for (const outcome of ['side_effect_committed', 'not_started']) {
      const refused = await settle(run, { ...settlement, outcome });

      expect([refused.status, refused.string('/code')]).toEqual([409, 'effect_not_unknown']);
      expect(refused.body).toMatchObject({ current: { side_effect_status: status, revision: 1 } });
    }
    expect(await gate.storedEvents(run)).toEqual(events);
  });

  it.each([
    ['outcome', 'not_started'],
    ['evidence_refs', ['provider:receipt-8812']],
    ['evidence_refs', ['log:7', 'provider:receipt-8812']],
    ['reconciled_by', 'somebody'],
  ])('is not settled in another way than it was: %s', async (field, value) => {
    const run = await newUnknown();
    await settle(run, settlement);

    const refused = await settle(run, { ...settlement, [field]: value });

    expect([refused.status, refused.string('/code')]).toEqual([409, 'effect_not_unknown']);
  });

  it('is not settled as before when more has happened since', async () => {
    const run = await newUnknown();
    const notStarted = { ...settlement, outcome: 'not_started' };
    await settle(run, notStarted);
    await changeRecord(gate, run, 'side_effect', { set: { '/side_effect_status': 'side_effect_committed' } });

    const refused = await settle(run, notStarted);

    expect([refused.status, refused.string('/current/side_effect_status')]).toEqual([
      409,
      'side_effect_committed',
    ]);
  });
});

it('an effect that nobody has recorded is not found, nor is one of another tenant', async () => {
  const run = await newUnknown();

  for (const refused of [
    await recordsOf(run).post('side-effects/unrecorded/reconciliation', settlement),
    await recordsOfTenant(gate, 'stranger').post(pathOf(run), settlement),
  ]) {
    expect([refused.status, refused.string('/code')]).toEqual([404, 'record_not_found']);
  }
  expect(await gate.query(`select from session_heads where tenant_id = 'stranger'`)).toEqual([]);
});

it.each([
  ['no outcome', { remove: ['/outcome'] }, 'Continuity field is required: outcome'],
  [
    'unknown as its outcome',
    { set: { '/outcome': 'side_effect_unknown' } },
    'Continuity reconciliation outcome is not supported: side_effect_unknown',
  ],
  ['no evidence', { remove: ['/evidence_refs'] }, 'Continuity field is required: evidence_refs'],
  [
    'an empty list of evidence',
    { set: { '/evidence_refs': [] } },
    'Continuity field is required: evidence_refs',
  ],
  [
    'blank evidence',
    { set: { '/evidence_refs': ['a', ' '] } },
    'Continuity field is required: evidence_refs[1]',
  ],
  ['nobody who found out', { remove: ['/reconciled_by'] }, 'Continuity field is required: reconciled_by'],
  ['more', { set: { '/authorized': true } }, 'Continuity field is not supported: authorized'],
  ['another shape', { set: { '': [] } }, 'Continuity request must be an object'],
])('a settlement with %s is malformed', async (_what, edit, detail) => {
  const run = await newUnknown();

  const refused = await settle(run, edited(settlement, edit));

  expect([refused.status, refused.string('/detail')]).toEqual([400, detail]);
});

describe('the queue', () => {
  it('tells every unknown effect of the tenant, oldest first, with where to settle it', async () => {
    const tenant = recordsOfTenant(gate, 'queue tenant/1');
    for (const key of ['c', 'a', 'b/1', 'settled', 'never']) {
      await tenant.put(
        `side-effects/${encodeURIComponent(key)}`,
        effectOf(key, key === 'never' ? 'not_started' : 'side_effect_unknown'),
      );
    }
    await tenant.post('side-effects/settled/reconciliation', settlement);

    const queue = await tenant.get('reconciliations');

    expect(queue.status).toBe(200);
    expect(valueAt(queue.body, '/reconciliations')).toEqual(
      ['c', 'a', 'b/1'].map((idempotency_key) => {
        const { session_id, capability_name, approval_id } = effectOf(idempotency_key, '');
        return {
          idempotency_key,
          session_id,
          capability_name,
          approval_id,
          unknown_since: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/) as string,
          age_seconds: expect.any(Number) as number,
          href: `/tenants/queue%20tenant%2F1/side-effects/${encodeURIComponent(idempotency_key)}/reconciliation`,
        };
      }),
    );
    const href = queue.string('/reconciliations/2/href');
    const settled = await gate.inject({ method: 'POST', url: href, payload: settlement });
    expect(settled.status).toBe(200);
  });

  it('tells as many as are asked for, and how long they have waited', async () => {
    const tenant = recordsOfTenant(gate, 'queue-2');
    for (const key of ['a', 'b', 'c'])
      await tenant.put(`side-effects/${key}`, effectOf(key, 'side_effect_unknown'));
    await gate.query(`alter table side_effects disable trigger user`);
    await gate.query(
      `update side_effects set updated_at = updated_at - interval '90 seconds' where tenant_id = 'queue-2' and idempotency_key = 'c'`,
    );
    await gate.query(`alter table side_effects enable trigger user`);

    const queue = await tenant.get('reconciliations?limit=2');

    expect(queue.body).toMatchObject({
      reconciliations: [{ idempotency_key: 'c' }, { idempotency_key: 'a' }],
    });
    expect(Number(valueAt(queue.body, '/reconciliations/0/age_seconds'))).toBeGreaterThanOrEqual(90);
    expect((await tenant.get('reconciliations?limit=0')).status).toBe(400);
  });

  it('of a tenant without any is empty', async () => {
    expect((await recordsOfTenant(gate, 'queue-3').get('reconciliations')).body).toEqual({
      reconciliations: [],
    });
  });

  function effectOf(key: string, side_effect_status: string) {
    return {
      session_id: `session of ${key}`,
      capability_name: 'create_ticket',
      approval_id: `approval of ${key}`,
      action_digest: 'sha256:action',
      side_effect_status,
    };
  }
});

async function newSealedUnknown(): Promise<Requests> {
  const run = newRun();
  await writeMatchingRecords(gate, run);
  await changeRecord(gate, run, 'side_effect', { set: { '/side_effect_status': 'side_effect_unknown' } });
  const sealed = run.sealRequest({ envelope: { side_effect_status: 'side_effect_unknown' } });
  expect((await gate.seal(sealed)).status).toBe(201);
  return run;
}

async function newUnknown(): Promise<Requests> {
  const run = newRun();
  await changeRecord(gate, run, 'side_effect', { set: { '/side_effect_status': 'side_effect_unknown' } });
  return run;
}

function settle(run: Requests, body: unknown) {
  return recordsOf(run).post(pathOf(run), body);
}

function pathOf(run: Requests): string {
  return `${matchingRecords(run).side_effect.path}/reconciliation`;
}

function recordsOf({ tenant_id }: Requests) {
  return recordsOfTenant(gate, tenant_id);
}

function newRun(): Requests {
  runs += 1;
  return requestsOf(`s${runs}`);
}

/** From records alone. */
function resumption(run: Requests) {
  return run.rehydrateRequest({ current_state: undefined, source_event_range: undefined });
}
