import { randomUUID } from 'node:crypto';

import { afterAll, expect, it } from 'vitest';

import { valueAt } from '../../support/edit-json.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp } from '../../support/test-app.js';

const gate = await createTestApp();

afterAll(() => gate.close());

const unknown = { side_effect_status: 'side_effect_unknown' };
const evidence_refs = ['trace:found'];

it('an approval ends no later by being sealed again, and sooner for good', async () => {
  const run = requestsOf(randomUUID());
  const sealedUntil = async (approval_expires_at: string) => {
    const answer = await gate.seal(
      run.sealRequest({ envelope: { envelope_id: randomUUID(), approval_expires_at } }),
    );
    return [answer.status, answer.status === 201 ? undefined : valueAt(answer.body, '/findings')];
  };
  const refused = [422, [{ reason: 'approval_binding_changed' }]];

  expect(await sealedUntil('2098-01-01T00:00:00Z')).toEqual([201, undefined]);
  expect(await sealedUntil('2098-01-01T00:00:00.000001Z')).toEqual(refused);
  expect(await sealedUntil('2097-01-01T00:00:00Z')).toEqual([201, undefined]);
  expect(await sealedUntil('2098-01-01T00:00:00Z')).toEqual(refused);
  expect(await sealedUntil('2097-01-01T01:00:00+01:00')).toEqual([201, undefined]);
});

it('an approval serves no second key', async () => {
  const run = requestsOf(randomUUID());
  await gate.seal(run.sealRequest({ envelope: { side_effect_status: 'side_effect_committed' } }));

  const answer = await gate.seal(
    run.sealRequest({ envelope: { envelope_id: 'second', idempotency_key: 'another' } }),
  );

  expect(answer.status).toBe(422);
  expect(valueAt(answer.body, '/findings')).toEqual([{ reason: 'approval_binding_changed' }]);
});

it('an effect that was sealed as unknown is carried on until it is released with evidence', async () => {
  const run = requestsOf(randomUUID());
  const key = run.sealRequest().continuity_envelope.idempotency_key;
  const next = { idempotency_key: 'another', approval_id: 'another' };
  const sealed = async (envelope: object, released?: readonly object[]) => {
    const request = run.sealRequest({ envelope: { envelope_id: randomUUID(), ...envelope } });
    const answer = await gate.seal({ ...request, ...(released && { released }) });
    return [answer.status, answer.status === 201 ? undefined : valueAt(answer.body, '/findings')];
  };
  const forgotten = [409, [{ reason: 'unknown_side_effect' }]];

  expect(await sealed(unknown)).toEqual([201, undefined]);
  expect(await sealed(next)).toEqual(forgotten);
  expect(await sealed({ side_effect_status: 'not_started' })).toEqual(forgotten);
  expect(await sealed(next, [{ ref: 'something else', evidence_refs }])).toEqual(forgotten);
  expect(await sealed(unknown)).toEqual([201, undefined]);
  expect(await sealed(next, [{ ref: key, evidence_refs }])).toEqual([201, undefined]);
});

it('a delegating principal that is not active stops the run', async () => {
  const run = requestsOf(randomUUID());
  const delegated = {
    authorization_mode: 'user_delegated',
    delegated_principal_id: 'boss',
    delegated_scope: 'all',
  };
  const put = (principal_status: string) =>
    gate.inject({
      method: 'PUT',
      url: `/tenants/${run.tenant_id}/principals/boss`,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ principal_status }),
    });
  await gate.seal(run.sealRequest({ envelope: delegated }));
  const resumed = async () => {
    const request = run.rehydrateRequest();
    return gate.rehydrate({ ...request, current_state: { ...request.current_state, ...delegated } });
  };
  await put('suspended');
  const stopped = await resumed();
  await put('active');

  expect(valueAt(stopped.body, '/findings')).toContainEqual({ reason: 'principal_not_active' });
  expect(valueAt((await resumed()).body, '/findings')).not.toContainEqual({ reason: 'principal_not_active' });
});
