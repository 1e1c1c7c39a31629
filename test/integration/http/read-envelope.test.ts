import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

let gate: TestApp;

beforeAll(async () => {
  gate = await createTestApp();
});

afterAll(() => gate.close());

it('200: repeats what sealing answered, whatever happened since, and leaves no event', async () => {
  const run = requestsOf('read');
  const sealed = await gate.seal(run.sealRequest());
  await gate.seal(run.sealRequest({ envelope: { envelope_id: 'newer' } }));
  await gate.rehydrate(run.rehydrateRequest({ envelope_id: 'newer' }));
  const events = await gate.storedEvents(run);

  const answer = await gate.get(`/envelopes/${run.envelope_id}`, { tenant_id: run.tenant_id });

  expect(answer.status).toBe(200);
  expect(answer.text).toBe(sealed.text);
  expect(await gate.storedEvents(run)).toEqual(events);
});

it("404: an envelope that does not exist, and another tenant's, answer alike", async () => {
  const run = requestsOf('hidden');
  await gate.seal(run.sealRequest());

  const nobodys = await gate.get('/envelopes/nothing', { tenant_id: run.tenant_id });
  const theirs = await gate.get(`/envelopes/${run.envelope_id}`, { tenant_id: 'hidden-other' });

  for (const answer of [nobodys, theirs]) {
    expect(answer.status).toBe(404);
    expect(answer.contentType).toBe('application/problem+json; charset=utf-8');
    expect(answer.body).toEqual({
      type: 'urn:continuity-gate:problem:envelope_not_found',
      title: 'There is no such envelope',
      status: 404,
      detail: 'The tenant has no such envelope.',
      code: 'envelope_not_found',
      errors: [],
      request_id: answer.headers['x-request-id'],
    });
  }
});

it.each([
  ['no tenant', '/envelopes/a', '/querystring/tenant_id'],
  ['an empty tenant', '/envelopes/a?tenant_id=', '/querystring/tenant_id'],
  ['two tenants', '/envelopes/a?tenant_id=a&tenant_id=b', '/querystring/tenant_id'],
  ['a parameter that is not known', '/envelopes/a?tenant_id=a&session_id=b', '/querystring/session_id'],
  ['a control character', '/envelopes/a%07?tenant_id=a', '/params/envelope_id'],
  ['an id that is longer than any', `/envelopes/${'a'.repeat(1_025)}?tenant_id=a`, '/params/envelope_id'],
])('400: %s', async (_what, url, pointer) => {
  const answer = await gate.inject({ method: 'GET', url });

  expect(answer.status).toBe(400);
  expect(answer.string('/code')).toBe('schema_invalid');
  expect(answer.string('/errors/0/pointer')).toBe(pointer);
});
