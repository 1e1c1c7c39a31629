import { afterAll, describe, expect, it } from 'vitest';

import { edited, valueAt } from '../../support/edit-json.js';
import { accessBy, bearer, createSigningKey, mint } from '../../support/identity-provider.js';
import { requestsOf, type Requests } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const key = await createSigningKey('key-1');
const runtime = 'envelopes:write rehydrate';

const accepting = await createTestApp({ access: accessBy(key, { attestedState: true }) });
const { connectionString } = accepting;
const refusing = await createTestApp({ connectionString, access: accessBy(key, { attestedState: false }) });
const open = await createTestApp({ connectionString });
const openRefusing = await createTestApp({
  connectionString,
  access: { mode: 'open', attestedState: false, hostNames: undefined },
});

afterAll(async () => {
  for (const gate of [openRefusing, open, refusing, accepting]) await gate.close();
});

/** Where a caller's own account of the present counts: on, and by one whose token says so. */
const cases = [
  { name: 'on, with the scope', gate: accepting, scope: `${runtime} state:attest`, accepted: true },
  { name: 'on, without the scope', gate: accepting, scope: runtime, accepted: false },
  { name: 'off, with the scope', gate: refusing, scope: `${runtime} state:attest`, accepted: false },
  { name: 'off, without the scope', gate: refusing, scope: runtime, accepted: false },
  { name: 'on, open to everyone', gate: open, scope: undefined, accepted: true },
  { name: 'off, open to everyone', gate: openRefusing, scope: undefined, accepted: false },
];

describe.each(cases)('attested state $name', ({ name, gate, scope, accepted }) => {
  const run = requestsOf(name.replaceAll(/\W+/g, '-'));

  it(`${accepted ? 'stands in' : 'does not stand in'} for records at /rehydrate`, async () => {
    const post = await poster(gate, run, scope);
    expect((await post('/envelopes', run.sealRequest())).status).toBe(201);

    const answer = await post('/rehydrate', run.rehydrateRequest());

    if (accepted) {
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ control_state_source: 'attested', authorized: false });
    } else {
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({
        status: 'continuity_validation_failed',
        reason: 'attested_state_refused',
        authorized: false,
      });
      expect(valueAt((await gate.storedEvents(run)).at(-1), '/reason')).toBe('attested_state_refused');
    }
  });

  it(`${accepted ? 'releases' : 'releases nothing of'} what the previous envelope carried`, async () => {
    const later = requestsOf(`${run.session_id}-later`);
    const post = await poster(gate, later, scope);
    expect((await post('/envelopes', later.sealRequest())).status).toBe(201);

    const answer = await post('/envelopes', {
      ...later.sealRequest({ envelope: { envelope_id: 'second', pending_obligations: [] } }),
      released: [{ ref: later.obligation_id, evidence_refs: ['trace:done'] }],
    });

    expect(answer.status).toBe(accepted ? 201 : 403);
    if (!accepted) expect(answer.string('/code')).toBe('attested_state_refused');
  });

  it('is not needed for the same without it', async () => {
    const records = requestsOf(`${run.session_id}-records`);
    const post = await poster(gate, records, scope);
    expect((await post('/envelopes', records.sealRequest())).status).toBe(201);

    const resume = edited(records.rehydrateRequest(), { remove: ['/current_state'] });
    const answer = await post('/rehydrate', resume);

    expect([answer.status, answer.string('/reason')]).toEqual([422, 'control_state_missing']);
  });
});

it('the scope to attest alone lets nobody ask to resume', async () => {
  const run = requestsOf('attest-only');
  const post = await poster(accepting, run, 'state:attest');

  expect((await post('/rehydrate', run.rehydrateRequest())).string('/reason')).toBe('forbidden');
});

async function poster(gate: TestApp, { tenant_id }: Requests, scope: string | undefined) {
  const authorization =
    scope === undefined ? {} : bearer(await mint(key, { tenants: [tenant_id], scope, sub: 'runtime-1' }));
  return (url: string, body: unknown) =>
    gate.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...authorization },
      payload: JSON.stringify(body),
    });
}
