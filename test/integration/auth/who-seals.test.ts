import { randomUUID } from 'node:crypto';

import { afterAll, describe, expect, it } from 'vitest';

import { scopes } from '../../../src/http/auth/scopes.js';
import { accessBy, bearer, createSigningKey, mint } from '../../support/identity-provider.js';
import { writeMatchingRecords } from '../../support/records.js';
import { valueAt } from '../../support/edit-json.js';
import { requestsOf, type Requests } from '../../support/requests.js';
import { createTestApp } from '../../support/test-app.js';

const key = await createSigningKey('key-1');
// One gate to write records as a system of record that is held to nobody, and the one under test.
const open = await createTestApp();
const gate = await createTestApp({
  connectionString: open.connectionString,
  access: accessBy(key, { attestedState: true }),
});

afterAll(async () => {
  await gate.close();
  await open.close();
});

/** Posts with a token of every scope that speaks for one principal, and whose subject is its own. */
async function callerFor(run: Requests, principal: string, sub = principal) {
  const claims = { tenants: [run.tenant_id], scope: scopes.join(' '), principals: [principal], sub };
  const headers = { 'content-type': 'application/json', ...bearer(await mint(key, claims)) };
  const post = (url: string) => (body: unknown) =>
    gate.inject({ method: 'POST', url, headers, payload: JSON.stringify(body) });
  return { seal: post('/envelopes'), rehydrate: post('/rehydrate') };
}

describe('a session that somebody has sealed for', () => {
  it('is taken over by nobody who does not speak for him', async () => {
    const run = requestsOf(randomUUID());
    const owner = await callerFor(run, run.principal_id);
    const intruder = await callerFor(run, 'mal');
    await owner.seal(run.sealRequest());
    await owner.rehydrate(run.rehydrateRequest({ runtime_id: undefined }));

    const taken = await intruder.seal(
      run.sealRequest({ envelope: { envelope_id: 'taken', principal_id: 'mal' }, session_epoch: 1 }),
    );
    const again = await owner.rehydrate(run.rehydrateRequest({ runtime_id: undefined }));

    expect([taken.status, taken.string('/code')]).toEqual([403, 'forbidden']);
    expect([again.status, valueAt(again.body, '/session_epoch')]).toEqual([200, 2]);
  });

  it('is handed over by him alone, to somebody who goes on from there', async () => {
    const run = requestsOf(randomUUID());
    const owner = await callerFor(run, run.principal_id);
    const heir = await callerFor(run, 'heir');
    const handover = { principal_id: 'heir', reset_reason: 'role_handoff' };
    await owner.seal(run.sealRequest());

    const taken = await heir.seal(run.sealRequest({ envelope: { ...handover, envelope_id: 'taken' } }));
    const given = run.sealRequest({ envelope: { ...handover, envelope_id: 'given' } });
    const [first, repeated] = [await owner.seal(given), await owner.seal(given)];
    const next = await heir.seal(
      run.sealRequest({ envelope: { envelope_id: 'next', principal_id: 'heir' } }),
    );
    const back = await owner.seal(run.sealRequest({ envelope: { envelope_id: 'back' } }));

    expect([taken.status, first.status, repeated.status, next.status, back.status]).toEqual([
      403, 201, 200, 201, 403,
    ]);
  });
});

it('what was sealed before the records named another principal burdens nobody', async () => {
  const run = requestsOf(randomUUID());
  const owner = await callerFor(run, run.principal_id);
  const intruder = await callerFor(run, 'mal');
  const junk = {
    envelope_id: 'junk',
    principal_id: 'mal',
    policy_version: 'made-up',
    idempotency_key: 'made-up',
    exact_constraint_refs: ['made-up'],
    pending_obligations: ['made-up'],
    side_effect_status: 'side_effect_unknown',
  };
  expect((await intruder.seal(run.sealRequest({ envelope: junk }))).status).toBe(201);
  await writeMatchingRecords(open, run);

  const own = await owner.seal(run.sealRequest());
  const laundered = await owner.seal(
    run.sealRequest({ envelope: { envelope_id: 'laundered', idempotency_key: 'another' } }),
  );

  expect(own.status).toBe(201);
  expect(valueAt(laundered.body, '/findings')).toContainEqual({ reason: 'approval_binding_changed' });
});

describe('a session that was resumed', () => {
  it('is sealed for with the decision id of its go, or by the subject that got the go with the epoch', async () => {
    const run = requestsOf(randomUUID());
    const holder = await callerFor(run, run.principal_id, 'holder');
    const other = await callerFor(run, run.principal_id, 'other');
    await holder.seal(run.sealRequest());
    const go = await holder.rehydrate(run.rehydrateRequest());
    const decision_id = go.string('/decision_id');
    const sealedBy = async (caller: typeof holder, proof: object) => {
      const envelope = { envelope_id: randomUUID() };
      return (await caller.seal(run.sealRequest({ envelope, ...proof }))).status;
    };

    expect(await sealedBy(other, { session_epoch: 1 })).toBe(409);
    expect(await sealedBy(other, { session_epoch: 1, decision_id: randomUUID() })).toBe(409);
    expect(await sealedBy(other, { session_epoch: 0, decision_id })).toBe(409);
    expect(await sealedBy(holder, {})).toBe(409);
    expect(await sealedBy(holder, { session_epoch: 1 })).toBe(201);
    expect(await sealedBy(holder, { session_epoch: 1, decision_id: randomUUID() })).toBe(409);
    expect(await sealedBy(other, { decision_id })).toBe(201);
  });
});
