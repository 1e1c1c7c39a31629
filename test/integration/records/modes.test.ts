import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { valueAt } from '../../support/edit-json.js';
import {
  changeRecord,
  matchingEvents,
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

describe('attested state is refused, with its event, once there is', () => {
  const sessionRecords = ['session', 'obligation', 'constraint', 'approval', 'side_effect'] as const;

  it.each(sessionRecords)('a %s record of the session', async (name) => {
    const run = await newSealed();
    await changeRecord(gate, run, name, {});

    await expectRefused(run);
  });

  it('an event in its log', async () => {
    const run = await newSealed();
    await recordsOf(run).post(`sessions/${run.session_id}/events`, matchingEvents(run));

    await expectRefused(run);
  });

  it.each(['approval', 'side_effect'] as const)(
    'a record of the %s of the envelope, in another session',
    async (name) => {
      const run = await newSealed();
      await changeRecord(gate, run, name, { set: { '/session_id': 'another' } });

      await expectRefused(run);
    },
  );

  it('a record, also where it agrees with all that is attested', async () => {
    const run = await newSealed();
    await writeMatchingRecords(gate, run);

    await expectRefused(run);
  });

  async function expectRefused(run: Requests): Promise<void> {
    const refused = await gate.rehydrate(run.rehydrateRequest());

    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      status: 'continuity_validation_failed',
      reason: 'attested_state_refused',
      code: 'attested_state_refused',
      authorized: false,
      requires_reauthorization: true,
    });
    expect((await gate.storedEvents(run)).at(-1)).toMatchObject({
      event_type: 'continuity_validation_failed',
      reason: 'attested_state_refused',
      payload: { phase: 'rehydration', findings: [{ reason: 'attested_state_refused' }] },
    });
  }
});

it('nothing can be released any more once there is a record of the session', async () => {
  const run = await newSealed();
  await changeRecord(gate, run, 'session', {});
  const released = [{ ref: run.obligation_id, evidence_refs: ['receipt'] }];

  const refused = await gate.seal(
    run.sealRequest({ released, envelope: { envelope_id: 'next', pending_obligations: [] } }),
  );

  expect([refused.status, refused.string('/code')]).toEqual([403, 'attested_state_refused']);
});

it('records decide from then on, and what is not recorded yet is missing', async () => {
  const run = await newSealed();
  await changeRecord(gate, run, 'session', {});

  const stopped = await gate.rehydrate(run.rehydrateRequest({ current_state: undefined }));

  expect(stopped.body).toMatchObject({
    control_state_source: 'records',
    findings: [
      { reason: 'event_lineage_mismatch' },
      { reason: 'control_state_missing' },
      { reason: 'constraint_missing' },
    ],
    missing: [
      'policy',
      'capabilities/create_ticket',
      `approvals/${run.envelope().approval_id}`,
      `side-effects/${run.idempotency_key}`,
    ],
  });
});

describe('attested state is still accepted', () => {
  it('when the records are those of another session', async () => {
    const run = await newSealed();
    const others = recordsOf(run);
    await others.put('sessions/another', matchingRecords(run).session.body);
    await others.put('approvals/another', { ...matchingRecords(run).approval.body, session_id: 'another' });

    expect(await reasonOf(run)).toEqual([200, 'continuity_validated']);
  });

  it('when a record was refused', async () => {
    const run = await newSealed();
    const { path, body } = matchingRecords(run).session;
    expect((await recordsOf(run).put(path, body, { 'if-match': '*' })).status).toBe(412);
    expect((await recordsOf(run).put(path, { ...body, session_epoch: 9 })).status).toBe(409);

    expect(await reasonOf(run)).toEqual([200, 'continuity_validated']);
  });

  it('when the whole tenant has records that agree with it', async () => {
    const run = await newSealed();
    for (const name of ['policy', 'capability', 'principal'] as const)
      await changeRecord(gate, run, name, {});

    expect(await reasonOf(run)).toEqual([200, 'continuity_validated']);
  });
});

describe("the tenant's own records hold for attested sessions", () => {
  it.each([
    ['policy', { '/policy_version': 'policy-v5' }, 'policy_version_changed'],
    ['capability', { '/capability_version': 'create-ticket-v4' }, 'capability_version_changed'],
    ['principal', { '/principal_status': 'suspended' }, 'principal_not_active'],
    ['principal', { '/principal_status': 'removed' }, 'principal_not_active'],
  ] as const)('%s %o: %s', async (name, set, reason) => {
    const run = await newSealed();
    await changeRecord(gate, run, name, { set });

    const stopped = await gate.rehydrate(run.rehydrateRequest());

    expect(stopped.status).toBe(422);
    expect(stopped.body).toMatchObject({
      reason,
      findings: [{ reason }],
      control_state_source: 'attested',
    });
  });
});

describe('the event of a decision says at which revisions it read the records of the tenant', () => {
  const revisions = { policy: 2, capability: 1, principal: null };

  async function writeTenantRecords(run: Requests): Promise<void> {
    await changeRecord(gate, run, 'policy', { set: { '/policy_version': 'policy-v3' } });
    await changeRecord(gate, run, 'policy', {});
    await changeRecord(gate, run, 'capability', {});
  }

  it.each(['attested', 'records'])('after a go, %s', async (mode) => {
    const run = newRun();
    await writeTenantRecords(run);
    if (mode === 'records')
      await writeMatchingRecords(gate, run, { without: ['policy', 'capability', 'principal'] });
    await gate.seal(run.sealRequest());

    const resumed = await gate.rehydrate(inMode(mode, run));

    expect(resumed.status).toBe(200);
    expect((await lastPayload(run))['record_revisions']).toEqual(revisions);
  });

  it.each(['attested', 'records'])('after a stop, %s', async (mode) => {
    const run = newRun();
    await writeTenantRecords(run);
    if (mode === 'records')
      await writeMatchingRecords(gate, run, { without: ['policy', 'capability', 'principal'] });
    await gate.seal(run.sealRequest());

    const stopped = await gate.rehydrate({ ...inMode(mode, run), summary: 'another' });

    expect(stopped.status).toBe(422);
    expect((await lastPayload(run))['record_revisions']).toEqual(revisions);
  });

  it('after a refusal to seal', async () => {
    const run = newRun();
    await writeTenantRecords(run);
    await writeMatchingRecords(gate, run, { without: ['policy', 'capability', 'principal'] });

    const refused = await gate.seal(run.sealRequest({ envelope: { exact_constraint_refs: [] } }));

    expect(refused.status).toBe(422);
    expect((await lastPayload(run))['record_revisions']).toEqual(revisions);
  });

  async function lastPayload(run: Requests) {
    return (await gate.storedEvents(run)).at(-1)?.payload ?? {};
  }

  function inMode(mode: string, run: Requests) {
    return run.rehydrateRequest(
      mode === 'records' ? { current_state: undefined, source_event_range: undefined } : {},
    );
  }
});

/** The HTTP status and the reason of a resumption with attested state. */
async function reasonOf(run: Requests): Promise<unknown[]> {
  const { status, body } = await gate.rehydrate(run.rehydrateRequest());
  return [status, valueAt(body, '/reason')];
}

/** A session that the gate has only an envelope of. */
async function newSealed(): Promise<Requests> {
  const run = newRun();
  expect((await gate.seal(run.sealRequest())).status).toBe(201);
  return run;
}

function recordsOf({ tenant_id }: Requests) {
  return recordsOfTenant(gate, tenant_id);
}

function newRun(): Requests {
  runs += 1;
  return requestsOf(`m${runs}`);
}
