import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../support/answer.js';
import { storedEpoch } from '../../support/expect-stop.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

let gate: TestApp;
/** The same store behind a service that accepts no attested state. */
let strictGate: TestApp;

beforeAll(async () => {
  gate = await createTestApp();
  strictGate = await createTestApp({
    access: { mode: 'open', attestedState: false, hostNames: undefined },
    connectionString: gate.connectionString,
  });
});

afterAll(async () => {
  await strictGate.close();
  await gate.close();
});

describe('an error is a stop as well', () => {
  const stop = { status: 'continuity_validation_failed', authorized: false, requires_reauthorization: true };
  const post = { method: 'POST', url: '/rehydrate' } as const;
  const json = { 'content-type': 'application/json' };

  it('404: an unknown envelope leaves an event with the claimed ids', async () => {
    const run = requestsOf('nowhere');

    const answer = await gate.rehydrate(run.rehydrateRequest());

    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      ...stop,
      reason: 'envelope_not_found',
      title: 'There is no such envelope',
      detail: 'The tenant has no such envelope.',
      code: 'envelope_not_found',
      errors: [],
      request_id: answer.headers['x-request-id'],
    });
    const { envelope_id, session_id, principal_id } = run;
    expect(await gate.storedEvents(run)).toMatchObject([
      {
        event_type: 'continuity_validation_failed',
        envelope_id,
        principal_id,
        reason: 'envelope_not_found',
        status: 'continuity_validation_failed',
        payload: {
          phase: 'rehydration',
          status: 'continuity_validation_failed',
          reason: 'envelope_not_found',
          findings: [{ reason: 'envelope_not_found' }],
          boundary_event_id: null,
          claimed: { envelope_id, session_id, principal_id },
        },
      },
    ]);
  });

  it("404: another tenant's envelope answers like one that does not exist", async () => {
    const run = requestsOf('elsewhere');
    await gate.seal(run.sealRequest());
    const presented = { tenant_id: 'elsewhere-other', current_state: undefined };
    const ask = (envelope_id: string) => gate.rehydrate(run.rehydrateRequest({ ...presented, envelope_id }));

    const [theirs, nobodys] = [await ask(run.envelope_id), await ask('nothing')];

    expect(theirs.status).toBe(404);
    expect(withoutRequestId(theirs)).toEqual(withoutRequestId(nobodys));
    expect(await gate.storedEvents(run)).toHaveLength(1);
    expect(await gate.storedEvents({ ...run, tenant_id: 'elsewhere-other' })).toHaveLength(2);
  });

  it('403: attested state where it is not accepted is refused, envelope or not, with an event', async () => {
    const run = requestsOf('unattested');
    const unknown = await strictGate.rehydrate(run.rehydrateRequest());
    await gate.seal(run.sealRequest());

    const answer = await strictGate.rehydrate(run.rehydrateRequest());

    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({
      ...stop,
      reason: 'attested_state_refused',
      code: 'attested_state_refused',
    });
    expect(withoutRequestId(unknown)).toEqual(withoutRequestId(answer));
    expect((await gate.storedEvents(run)).map(({ reason }) => reason)).toEqual([
      'attested_state_refused',
      null,
      'attested_state_refused',
    ]);
    expect(await storedEpoch(gate, run)).toEqual({ session_epoch: 0, held_by: null });
  });

  it('400: a malformed request is told its operator error to the letter', async () => {
    const run = requestsOf('malformed');

    const answer = await gate.rehydrate(run.rehydrateRequest({ current_state: [] }));

    expect(answer.status).toBe(400);
    const message = 'Continuity state must be ContinuityState';
    expect(answer.body).toEqual({
      ...stop,
      reason: 'schema_invalid',
      title: 'The request is malformed',
      detail: message,
      code: 'schema_invalid',
      errors: [{ pointer: '/current_state', message }],
      request_id: answer.headers['x-request-id'],
    });
    expect(await gate.query('select from session_heads where tenant_id = $1', [run.tenant_id])).toEqual([]);
  });

  it('400: attested state comes with the range that lineage is checked against', async () => {
    const run = requestsOf('rangeless');

    const answer = await gate.rehydrate(run.rehydrateRequest({ source_event_range: undefined }));

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      ...stop,
      detail: 'Continuity field is required: source_event_range',
    });
  });

  const compressed = { ...json, 'content-encoding': 'gzip' };
  const put = { method: 'PUT', url: '/rehydrate', headers: json, payload: '{}' } as const;

  it.each([
    ['a body too large', { ...post, headers: json, payload: ' '.repeat(1_048_577) }, 413, 'body_too_large'],
    ['plain text', { ...post, headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
    ['a compressed body', { ...post, headers: compressed }, 415, 'unsupported_media_type'],
    ['half a body', { ...post, headers: json, payload: '{' }, 400, 'schema_invalid'],
    ['GET', { method: 'GET', url: '/rehydrate' } as const, 404, 'route_not_found'],
    ['PUT', put, 404, 'route_not_found'],
    ['DELETE', { method: 'DELETE', url: '/rehydrate?x=1' } as const, 404, 'route_not_found'],
    ['a path below', { ...post, url: '/rehydrate/now', headers: json }, 404, 'route_not_found'],
  ])('%s', async (_what, request, status, code) => {
    const answer = await gate.inject({ payload: '{}', ...request });

    expect(answer.status).toBe(status);
    expect(answer.contentType).toBe('application/json; charset=utf-8');
    expect(answer.body).toMatchObject({ ...stop, reason: code, code });
  });

  it('403: a foreign host name', async () => {
    const local = await createTestApp({
      access: { mode: 'open', attestedState: true, hostNames: ['localhost'] },
      connectionString: gate.connectionString,
    });

    const answer = await local.inject({ ...post, headers: { ...json, host: 'evil.example' }, payload: '{}' });

    await local.close();
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ ...stop, reason: 'forbidden', code: 'forbidden' });
  });
});

function withoutRequestId(answer: Answer): unknown {
  return { ...Object(answer.body), request_id: null } as unknown;
}
