import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { edited } from '../../support/edit-json.js';
import {
  changeRecord,
  matchingRecords,
  recordsOfTenant,
  writeMatchingRecords,
} from '../../support/records.js';
import { requestsOf, type Requests } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

let gate: TestApp;
let runs = 0;

beforeAll(async () => {
  gate = await createTestApp();
});

afterAll(() => gate.close());

describe('the control state of a session', () => {
  it('is assembled from its records: the fourteen fields of the reference', async () => {
    const run = newRun();
    await writeMatchingRecords(gate, run);

    const state = await readState(run);

    expect(state.status).toBe(200);
    expect(state.body).toEqual(run.attestedState());
    expect(Object.keys(state.body as object)).toHaveLength(14);
  });

  it.each([
    ['policy', ['/policy_version']],
    ['capability', ['/capability_version']],
    ['approval', ['/approval_status']],
    [
      'side_effect',
      [
        '/capability_name',
        '/capability_version',
        '/approval_id',
        '/action_digest',
        '/approval_status',
        '/side_effect_status',
      ],
    ],
  ] as const)('has nothing where there is no %s record', async (name, nothing) => {
    const run = newRun();
    await writeMatchingRecords(gate, run, { without: [name] });

    const state = await readState(run);

    const gone = Object.fromEntries(nothing.map((pointer) => [pointer, null]));
    expect(state.body).toEqual(edited(run.attestedState(), { set: gone }));
  });

  it('is the one of the action that the session is at', async () => {
    const run = newRun();
    await writeMatchingRecords(gate, run);
    await changeRecord(gate, run, 'session', { set: { '/idempotency_key': 'next' } });
    const { body } = matchingRecords(run).side_effect;
    await recordsOf(run).put('side-effects/next', {
      ...body,
      approval_id: 'next',
      capability_name: 'close_ticket',
    });

    expect((await readState(run)).body).toMatchObject({
      idempotency_key: 'next',
      approval_id: 'next',
      capability_name: 'close_ticket',
      capability_version: null,
      approval_status: null,
    });
  });

  it('shows what was changed', async () => {
    const run = newRun();
    await writeMatchingRecords(gate, run);
    await changeRecord(gate, run, 'policy', { set: { '/policy_version': 'policy-v5' } });
    await changeRecord(gate, run, 'approval', { set: { '/approval_status': 'revoked' } });

    expect((await readState(run)).body).toMatchObject({
      policy_version: 'policy-v5',
      approval_status: 'revoked',
    });
  });

  it('is not there without a session record, nor for another tenant', async () => {
    const run = newRun();
    await writeMatchingRecords(gate, run, { without: ['session'] });
    expect([(await readState(run)).status, (await readState(run)).string('/code')]).toEqual([
      404,
      'record_not_found',
    ]);

    await changeRecord(gate, run, 'session', {});

    expect((await readState(run)).status).toBe(200);
    expect(
      (await recordsOfTenant(gate, 'stranger').get(`sessions/${run.session_id}/control-state`)).status,
    ).toBe(404);
  });

  function readState(run: Requests) {
    return recordsOf(run).get(`sessions/${run.session_id}/control-state`);
  }
});

describe('the epoch of a session', () => {
  it('is 0 and held by nobody until the session is resumed', async () => {
    const run = newRun();
    await writeMatchingRecords(gate, run);

    const epoch = await readEpoch(run);

    expect([epoch.status, epoch.body]).toEqual([200, { session_epoch: 0, held_by: null, held_since: null }]);
  });

  it('moves on with every go, to whoever resumed, and with no stop', async () => {
    const run = newRun();
    await writeMatchingRecords(gate, run);
    await gate.seal(run.sealRequest());
    await gate.rehydrate(resumption(run, { runtime_id: 'runtime-1' }));
    const second = await gate.rehydrate(resumption(run, { runtime_id: 'runtime-2' }));
    await gate.rehydrate(resumption(run, { runtime_id: 'runtime-3', summary: 'another' }));

    const epoch = await readEpoch(run);

    expect(epoch.body).toEqual({
      session_epoch: 2,
      held_by: 'runtime-2',
      held_since: second.string('/decided_at'),
    });
  });

  it('is not there for a session that nobody has heard of, nor for another tenant', async () => {
    const run = newRun();
    expect((await readEpoch(run)).status).toBe(404);

    await writeMatchingRecords(gate, run);

    expect((await recordsOfTenant(gate, 'stranger').get(`sessions/${run.session_id}/epoch`)).status).toBe(
      404,
    );
  });

  function readEpoch(run: Requests) {
    return recordsOf(run).get(`sessions/${run.session_id}/epoch`);
  }
});

describe('the context view', () => {
  it('holds the records as they are now: constraints with their text, what is owed and what is done', async () => {
    const run = newRun();
    const records = recordsOf(run);
    await writeMatchingRecords(gate, run);
    const { constraint, obligation } = matchingRecords(run);
    await records.put(`${constraint.path}-withdrawn`, constraint.body);
    await records.put(`${obligation.path}-done`, obligation.body);
    const refs = [`${run.constraint_ref}-withdrawn`, run.constraint_ref];
    const owed = [`${run.obligation_id}-done`, 'unrecorded', run.obligation_id];
    const sealed = run.sealRequest({ envelope: { exact_constraint_refs: refs, pending_obligations: owed } });
    expect((await gate.seal(sealed)).status).toBe(201);
    await records.put(`${constraint.path}-withdrawn`, { ...constraint.body, constraint_status: 'withdrawn' });
    await records.put(`${constraint.path}-added`, {
      ...constraint.body,
      text: 'Added.',
      forbids_capability: 'close_ticket',
    });
    await records.put(`${obligation.path}-done`, {
      obligation_status: 'discharged',
      evidence_refs: ['receipt'],
    });
    await records.put(`${obligation.path}-added`, obligation.body);
    await records.put(`sessions/other/obligations/foreign`, obligation.body);

    const resumed = await gate.rehydrate(resumption(run));

    expect(resumed.status).toBe(200);
    const { text } = constraint.body;
    expect(resumed.body).toMatchObject({
      pending_obligations: ['unrecorded', run.obligation_id, `${run.obligation_id}-added`],
      context_view: {
        constraints: [
          { ref: run.constraint_ref, text, forbids_capability: null },
          { ref: `${run.constraint_ref}-added`, text: 'Added.', forbids_capability: 'close_ticket' },
        ],
        pending_obligations: ['unrecorded', run.obligation_id, `${run.obligation_id}-added`],
        discharged_obligations: [`${run.obligation_id}-done`],
      },
    });
  });

  it('tells the budget that is left, not the one that was sealed', async () => {
    const run = newRun();
    await writeMatchingRecords(gate, run);
    await gate.seal(run.sealRequest({ envelope: { budget_remaining: 2 } }));

    const resumed = await gate.rehydrate(resumption(run));

    expect(resumed.body).toMatchObject({ context_view: { budget_remaining: 7 } });
  });

  it.each([0, 1, 100, 101, 250])(
    'tells the first 100 of the events that the summary does not cover: %d',
    async (count) => {
      const run = newRun();
      await writeMatchingRecords(gate, run);
      await gate.seal(run.sealRequest());
      if (count > 0)
        await recordsOf(run).post(`sessions/${run.session_id}/events`, { events: laterEvents(count) });

      const resumed = await gate.rehydrate(resumption(run));

      expect(resumed.body).toMatchObject({
        context_view: {
          uncovered_total: count,
          uncovered_events: laterEvents(Math.min(count, 100)).map(({ event_id, event_type }, index) => ({
            event_id,
            event_type,
            sequence: 10 + index,
          })),
        },
      });
    },
  );

  it('tells what is owed in a stop as well', async () => {
    const run = newRun();
    await writeMatchingRecords(gate, run);
    await gate.seal(run.sealRequest());
    await changeRecord(gate, run, 'policy', { set: { '/policy_version': 'policy-v5' } });
    await recordsOf(run).put(`sessions/${run.session_id}/obligations/added`, { obligation_status: 'open' });

    const stopped = await gate.rehydrate(resumption(run));
    const refused = await gate.seal(run.sealRequest({ envelope: { envelope_id: 'next' } }));

    expect([stopped.status, stopped.string('/reason')]).toEqual([422, 'policy_version_changed']);
    expect([refused.status, refused.string('/reason')]).toEqual([422, 'obligation_dropped']);
    for (const { body } of [stopped, refused]) {
      expect(body).toMatchObject({ pending_obligations: [run.obligation_id, 'added'] });
    }
  });

  function laterEvents(count: number) {
    return Array.from({ length: count }, (_, index) => ({
      event_id: `later-${index}`,
      event_type: `type-${index % 3}`,
      content_sha256: 'sha256:later',
    }));
  }
});

describe('from generation to generation', () => {
  it('nothing is dropped, finished work does not come back, and the new ends where the log does', async () => {
    const run = newRun();
    const records = recordsOf(run);
    await writeMatchingRecords(gate, run);
    await gate.seal(run.sealRequest());
    await gate.rehydrate(resumption(run));
    await records.post(`sessions/${run.session_id}/events`, {
      events: ['x', 'y'].map((event_id) => ({ event_id, event_type: 'call', content_sha256: 'sha256:x' })),
    });
    await records.put(`sessions/${run.session_id}/obligations/second`, { obligation_status: 'open' });
    await changeRecord(gate, run, 'obligation', {
      set: { '/obligation_status': 'discharged', '/evidence_refs': ['receipt'] },
    });
    const next = (changes: object) =>
      gate.seal(
        run.sealRequest({
          session_epoch: 1,
          envelope: {
            envelope_id: 'next',
            source_event_range: { first: 'x', last: 'y' },
            pending_obligations: ['second'],
            ...changes,
          },
        }),
      );

    expect((await next({ pending_obligations: [] })).string('/reason')).toBe('obligation_dropped');
    expect((await next({ pending_obligations: ['second', run.obligation_id] })).string('/reason')).toBe(
      'obligation_unrecognized',
    );
    expect((await next({ exact_constraint_refs: [] })).string('/reason')).toBe('constraint_missing');
    expect((await next({ source_event_range: { first: 'y', last: 'y' } })).string('/reason')).toBe(
      'event_lineage_mismatch',
    );
    expect((await next({})).status).toBe(201);

    const resumed = await gate.rehydrate(resumption(run, { envelope_id: 'next', session_epoch: 1 }));
    expect(resumed.body).toMatchObject({ session_epoch: 2, pending_obligations: ['second'] });
  });
});

function recordsOf({ tenant_id }: Requests) {
  return recordsOfTenant(gate, tenant_id);
}

function newRun(): Requests {
  runs += 1;
  return requestsOf(`t${runs}`);
}

/** From records alone. */
function resumption(run: Requests, changes: Readonly<Record<string, unknown>> = {}) {
  return run.rehydrateRequest({ current_state: undefined, source_event_range: undefined, ...changes });
}
