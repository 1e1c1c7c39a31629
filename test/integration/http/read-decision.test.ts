import { afterAll, beforeAll, expect, it } from 'vitest';

import { rulesVersion } from '../../../src/domain/rules.js';
import { valueAt } from '../../support/edit-json.js';
import { digestOf, requestsOf, summary } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

let gate: TestApp;

beforeAll(async () => {
  gate = await createTestApp();
});

afterAll(() => gate.close());

it('200: gives a go again with its facts, and replays it to the same', async () => {
  const run = requestsOf('go');
  await gate.seal(run.sealRequest());
  const go = await gate.rehydrate(run.rehydrateRequest());
  const events = await gate.storedEvents(run);

  const answer = await gate.get(`/decisions/${go.string('/decision_id')}`, { tenant_id: run.tenant_id });

  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    status: 'reauthorization_required',
    reason: 'continuity_validated',
    findings: [],
    authorized: false,
    requires_reauthorization: true,
    decision_id: go.string('/decision_id'),
    decided_at: go.string('/decided_at'),
    trace_event: valueAt(go.body, '/trace_event'),
    session_epoch: 1,
    held_by: 'go-runtime',
    facts: {
      kind: 'compared',
      decided_at: go.string('/decided_at'),
      presented: { summary_sha256: digestOf(summary), session_epoch: null },
      envelope: { envelope_id: run.envelope_id, objective_sha256: digestOf(run.envelope().objective) },
      session_epoch: 0,
      current: { source: 'attested', actions: [{ approval: { approval_status: 'approved' } }] },
    },
    rules_version: rulesVersion,
    replayed: {
      status: 'reauthorization_required',
      reason: 'continuity_validated',
      same: true,
      rules_version: rulesVersion,
    },
  });
  expect(await gate.storedEvents(run)).toEqual(events);
});

it('200: gives a stop again as it was made, even when it would not be made any more', async () => {
  const run = requestsOf('stop');
  const unknown = await gate.rehydrate(run.rehydrateRequest());
  await gate.seal(run.sealRequest());
  const [event] = await gate.storedEvents(run);

  const answer = await gate.get(`/decisions/${event?.decision_id ?? ''}`, { tenant_id: run.tenant_id });

  expect(unknown.status).toBe(404);
  expect(answer.body).toMatchObject({
    reason: 'envelope_not_found',
    trace_event: { event_id: event?.event_id },
    facts: { kind: 'refused', refusal: 'envelope_not_found' },
    replayed: { same: true },
  });
});

it('200: tells that the rules of today decide otherwise', async () => {
  const run = requestsOf('rules');
  const decision_id = '01a23052-0000-7000-8000-000000000001';
  await gate.seal(run.sealRequest());
  const go = await gate.rehydrate(run.rehydrateRequest());
  // As it would stand there had a release without versions not minded the policy.
  await gate.query(
    `insert into decisions
       (tenant_id, decision_id, session_id, envelope_id, trace_id, decided_at, status, reason, findings, facts,
        session_epoch, held_by, trace_event_id, trace_event_type)
     select tenant_id, $2, session_id, envelope_id, trace_id, decided_at, status, reason, findings,
            jsonb_set(facts, '{current,policy_version}', '"policy-v5"'), session_epoch, held_by, trace_event_id,
            trace_event_type
       from decisions where decision_id = $1`,
    [go.string('/decision_id'), decision_id],
  );

  const answer = await gate.get(`/decisions/${decision_id}`, { tenant_id: run.tenant_id });

  expect(answer.body).toMatchObject({
    status: 'reauthorization_required',
    rules_version: null,
    replayed: {
      status: 'continuity_validation_failed',
      reason: 'policy_version_changed',
      same: false,
      rules_version: rulesVersion,
    },
  });
});

it('200: finds a decision whose id is written in capitals', async () => {
  const run = requestsOf('capitals');
  await gate.rehydrate(run.rehydrateRequest());
  const [event] = await gate.storedEvents(run);
  const decision_id = event?.decision_id ?? '';

  const answer = await gate.get(`/decisions/${decision_id.toUpperCase()}`, { tenant_id: run.tenant_id });

  expect(answer.body).toMatchObject({ decision_id });
});

it("404: a decision that does not exist, and another tenant's, answer alike", async () => {
  const run = requestsOf('hidden');
  await gate.seal(run.sealRequest());
  const go = await gate.rehydrate(run.rehydrateRequest());
  const nobody = '/decisions/01a23052-0000-7000-8000-00000000ffff';

  const answers = [
    await gate.get(nobody, { tenant_id: run.tenant_id }),
    await gate.get(`/decisions/${go.string('/decision_id')}`, { tenant_id: 'hidden-other' }),
  ];

  for (const answer of answers) {
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: 'decision_not_found', status: 404, errors: [] });
  }
});

it.each([
  ['an id that is none', '/decisions/abc?tenant_id=a', '/params/decision_id'],
  ['no tenant', '/decisions/01a23052-0000-7000-8000-00000000ffff', '/querystring/tenant_id'],
  [
    'a parameter that is not known',
    '/decisions/01a23052-0000-7000-8000-00000000ffff?tenant_id=a&replay=no',
    '/querystring/replay',
  ],
])('400: %s', async (_what, url, pointer) => {
  const answer = await gate.inject({ method: 'GET', url });

  expect(answer.status).toBe(400);
  expect(answer.string('/code')).toBe('schema_invalid');
  expect(answer.string('/errors/0/pointer')).toBe(pointer);
});
