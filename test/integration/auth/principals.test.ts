import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { scopes } from '../../../src/http/auth/scopes.js';
import { accessBy, bearer, createSigningKey, mint } from '../../support/identity-provider.js';
import {
  matchingEvents,
  matchingRecords,
  recordsOfTenant,
  writeMatchingRecords,
} from '../../support/records.js';
import { requestsOf, type Requests } from '../../support/requests.js';
import { createTestApp } from '../../support/test-app.js';

const key = await createSigningKey('key-1');
// One gate to write as a system of record that is held to nobody, and the one under test.
const open = await createTestApp();
const gate = await createTestApp({ connectionString: open.connectionString, access: accessBy(key) });

afterAll(async () => {
  await gate.close();
  await open.close();
});

/** A session of `user-42`, and an intruder's token of every scope that speaks for somebody else. */
let run: Requests;
let intruder: Record<string, string>;
let owner: Record<string, string>;

beforeAll(async () => {
  run = requestsOf(randomUUID());
  intruder = await tokenFor('mal');
  owner = await tokenFor(run.principal_id);
  await writeMatchingRecords(open, run);
});

async function tokenFor(...principals: string[]) {
  const claims = { tenants: [run.tenant_id], scope: scopes.join(' '), principals };
  return bearer(await mint(key, claims));
}

const read = (path: string, headers: Record<string, string>) =>
  gate.inject({ method: 'GET', url: `/tenants/${run.tenant_id}/${path}`, headers });

const write = (method: 'PUT' | 'POST', path: string, body: unknown, headers: Record<string, string>) =>
  gate.inject({
    method,
    url: `/tenants/${run.tenant_id}/${path}`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  });

describe("an intruder's token in another principal's session", () => {
  it.each(['session', 'obligation', 'constraint', 'approval', 'side_effect'] as const)(
    'neither reads nor writes its %s record, and is told nothing of it by a precondition',
    async (name) => {
      const { path, body } = matchingRecords(run)[name];

      expect((await read(path, intruder)).status).toBe(404);
      for (const headers of [intruder, { ...intruder, 'if-match': '"99"' }]) {
        const refused = await write('PUT', path, body, headers);
        expect([refused.status, refused.string('/code')]).toEqual([403, 'forbidden']);
        expect(refused.body).not.toHaveProperty('current');
      }
      expect((await read(path, owner)).body).toMatchObject({ revision: 1 });
    },
  );

  it('does not cancel it, nor make it his own', async () => {
    const { path, body } = matchingRecords(run).session;

    for (const change of [{ session_status: 'cancelled' }, { principal_id: 'mal' }]) {
      expect((await write('PUT', path, { ...(body as object), ...change }, intruder)).status).toBe(403);
    }
    expect((await read(path, owner)).body).toMatchObject({
      session_status: 'active',
      principal_id: run.principal_id,
    });
  });

  it('does not suspend its principal', async () => {
    const path = `principals/${run.principal_id}`;

    expect((await write('PUT', path, { principal_status: 'suspended' }, intruder)).status).toBe(403);
    expect((await read(path, intruder)).status).toBe(404);
    expect((await read(path, owner)).body).toMatchObject({ principal_status: 'active' });
  });

  it('settles none of its effects, and does not see them in the queue', async () => {
    const effect = matchingRecords(run).side_effect.body as object;
    const path = `side-effects/${randomUUID()}`;
    const unknown = { ...effect, approval_id: randomUUID(), side_effect_status: 'side_effect_unknown' };
    const settlement = { outcome: 'not_started', evidence_refs: ['made-up'], reconciled_by: 'mal' };
    await recordsOfTenant(open, run.tenant_id).put(path, unknown);

    expect((await write('POST', `${path}/reconciliation`, settlement, intruder)).status).toBe(404);
    expect((await read('reconciliations', intruder)).body).toEqual({ reconciliations: [] });
    expect((await read('reconciliations', owner)).string('/reconciliations/0/href')).toContain(path);
    expect((await read(path, owner)).body).toMatchObject({ side_effect_status: 'side_effect_unknown' });
  });

  it('learns nothing by moving a record into a session of his own', async () => {
    const session = `mals-${randomUUID()}`;
    const mine = { ...(matchingRecords(run).session.body as object), principal_id: 'mal' };
    expect((await write('PUT', `sessions/${session}`, mine, intruder)).status).toBe(201);

    for (const name of ['constraint', 'approval', 'side_effect'] as const) {
      const { path, body } = matchingRecords(run)[name];
      const moved = await write('PUT', path, { ...(body as object), session_id: session }, intruder);
      expect(moved.status).toBe(403);
      expect(moved.body).not.toHaveProperty('current');
    }
  });
});

describe('a session that nobody is known to have', () => {
  it('is not had by the first who says so, once there are records of it', async () => {
    const orphan = `orphan-${randomUUID()}`;
    const constraint = { session_id: orphan, text: 'Pay nobody.', constraint_status: 'active' };
    const path = `constraints/${orphan}`;
    await recordsOfTenant(open, run.tenant_id).put(path, constraint);
    const claim = { ...(matchingRecords(run).session.body as object), principal_id: 'mal' };

    expect((await write('PUT', `sessions/${orphan}`, claim, intruder)).status).toBe(403);
    expect((await read(path, intruder)).status).toBe(404);
    expect((await read(`sessions/${orphan}/epoch`, intruder)).status).toBe(404);
  });

  it('gets its first record from a token of the principal in it, and nothing before that', async () => {
    const fresh = `fresh-${randomUUID()}`;
    const events = `sessions/${fresh}/events`;

    expect((await write('POST', events, matchingEvents(run), owner)).status).toBe(403);
    expect(
      (await write('PUT', `sessions/${fresh}`, matchingRecords(run).session.body, intruder)).status,
    ).toBe(403);
    expect((await write('PUT', `sessions/${fresh}`, matchingRecords(run).session.body, owner)).status).toBe(
      201,
    );
    expect((await write('POST', events, matchingEvents(run), owner)).status).toBe(201);
  });

  it("is the newest envelope's principal's as long as there are no records", async () => {
    const attested = requestsOf(randomUUID());
    const epoch = (headers: Record<string, string>) =>
      gate.inject({
        url: `/tenants/${attested.tenant_id}/sessions/${attested.session_id}/epoch`,
        headers,
      });
    const forTenant = async (principal: string) =>
      bearer(
        await mint(key, { tenants: [attested.tenant_id], scope: scopes.join(' '), principals: [principal] }),
      );
    await open.seal(attested.sealRequest());

    expect((await epoch(await forTenant(attested.principal_id))).status).toBe(200);
    expect((await epoch(await forTenant('mal'))).status).toBe(404);
  });
});
