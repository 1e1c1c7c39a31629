import { randomUUID } from 'node:crypto';

import { afterAll, expect, it } from 'vitest';

import { accessBy, bearer, createSigningKey, mint } from '../../support/identity-provider.js';
import { matchingRecords, writeMatchingRecords } from '../../support/records.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp } from '../../support/test-app.js';

const key = await createSigningKey('key-1');
const open = await createTestApp();
const gate = await createTestApp({ connectionString: open.connectionString, access: accessBy(key) });
const run = requestsOf(randomUUID());
await writeMatchingRecords(open, run);
const { path, body } = matchingRecords(run).approval;

afterAll(async () => {
  await gate.close();
  await open.close();
});

it('a token that may only reconcile is not told what it can not settle', async () => {
  const settle = async (scope: string) =>
    gate.inject({
      method: 'POST',
      url: `/tenants/${run.tenant_id}/${matchingRecords(run).side_effect.path}/reconciliation`,
      headers: {
        'content-type': 'application/json',
        ...bearer(await mint(key, { tenants: [run.tenant_id], scope })),
      },
      payload: JSON.stringify({ outcome: 'not_started', evidence_refs: ['none'], reconciled_by: 'me' }),
    });

  expect((await settle('reconcile records:read')).string('/current/side_effect_status')).toBe('not_started');
  const answer = await settle('reconcile');
  expect([answer.status, answer.string('/code')]).toEqual([409, 'effect_not_unknown']);
  expect(answer.body).not.toHaveProperty('current');
});

/** Writes the approval with a token of these scopes, so that the write is refused in the given way. */
async function refused(scope: string, change: object, headers: Record<string, string> = {}) {
  return gate.inject({
    method: 'PUT',
    url: `/tenants/${run.tenant_id}/${path}`,
    headers: {
      'content-type': 'application/json',
      ...bearer(await mint(key, { tenants: [run.tenant_id], scope })),
      ...headers,
    },
    payload: JSON.stringify({ ...(body as object), ...change }),
  });
}

it.each([
  ['412', {}, { 'if-match': '"99"' }],
  ['409', { action_digest: 'sha256:another' }, {}],
] as const)('a token that may only write is not told the record by a %s', async (status, change, headers) => {
  const told = await refused('approvals:write records:read', change, headers);
  expect([told.status, told.string('/current/action_digest')]).toEqual([
    Number(status),
    run.envelope().action_digest,
  ]);

  const answer = await refused('approvals:write', change, headers);

  expect(answer.status).toBe(Number(status));
  expect(answer.headers).not.toHaveProperty('etag');
  expect(answer.body).not.toHaveProperty('current');
  expect(answer.text).not.toContain(run.envelope().action_digest);
});
