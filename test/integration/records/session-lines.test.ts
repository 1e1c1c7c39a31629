import { randomUUID } from 'node:crypto';

import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import { scopes } from '../../../src/http/auth/scopes.js';
import { accessBy, bearer, createSigningKey, mint } from '../../support/identity-provider.js';
import { matchingRecords, recordsOfTenant } from '../../support/records.js';
import { requestsOf } from '../../support/requests.js';
import { connectAsService } from '../../support/service-role.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const key = await createSigningKey('key-1');
const gate = await createTestApp();
/** Another process's gate on the same store: nothing but the store orders what the two do. */
const other = await createTestApp({ connectionString: gate.connectionString });
const guarded = await createTestApp({ connectionString: gate.connectionString, access: accessBy(key) });
const service = await connectAsService(gate.connectionString);

let tenant: string;

beforeEach(() => {
  tenant = randomUUID();
});

afterAll(async () => {
  await service.close();
  await guarded.close();
  await other.close();
  await gate.close();
});

type Links = Readonly<Record<string, unknown>>;

const bodyOf = (links: Links) => ({
  ...matchingRecords(requestsOf(tenant)).session.body,
  principal_id: 'user-42',
  ...links,
});

const put = (session: string, links: Links = {}, { by = gate }: { by?: TestApp } = {}) =>
  recordsOfTenant(by, tenant).put(`sessions/${session}`, bodyOf(links));

describe('what a session descends from', () => {
  it.each(['parent_session_id', 'predecessor_session_id'])('is told by its record: %s', async (link) => {
    const written = await put('child', { [link]: 'ancestor' });

    expect([written.status, written.string(`/${link}`)]).toEqual([201, 'ancestor']);
    expect((await recordsOfTenant(gate, tenant).get('sessions/child')).string(`/${link}`)).toBe('ancestor');
  });

  it.each(['parent_session_id', 'predecessor_session_id'])('is set once: %s', async (link) => {
    await put('child');
    expect((await put('child', { [link]: 'ancestor' })).status).toBe(200);

    for (const links of [{ [link]: 'another' }, {}]) {
      const refused = await put('child', links);
      expect([refused.status, refused.string('/code'), refused.string('/errors/0/pointer')]).toEqual([
        409,
        'record_field_frozen',
        `/${link}`,
      ]);
    }
    expect((await put('child', { [link]: 'ancestor', session_status: 'ended' })).status).toBe(200);
  });

  it.each([
    { what: 'itself', line: [], link: 'parent_session_id', to: 'a' },
    { what: 'itself as its predecessor', line: [], link: 'predecessor_session_id', to: 'a' },
    { what: 'its child', line: [['b', 'parent_session_id', 'a']], link: 'parent_session_id', to: 'b' },
    {
      what: "its child's successor",
      line: [
        ['b', 'parent_session_id', 'a'],
        ['c', 'predecessor_session_id', 'b'],
      ],
      link: 'parent_session_id',
      to: 'c',
    },
    {
      what: "its successor's grandchild",
      line: [
        ['b', 'predecessor_session_id', 'a'],
        ['c', 'parent_session_id', 'b'],
        ['d', 'parent_session_id', 'c'],
      ],
      link: 'predecessor_session_id',
      to: 'd',
    },
  ])('is not $what', async ({ line, link, to }) => {
    await put('a');
    for (const [session = '', field = '', ancestor] of line) await put(session, { [field]: ancestor });

    const refused = await put('a', { [link]: to });

    expect([refused.status, refused.string('/code'), refused.string('/errors/0/pointer')]).toEqual([
      409,
      'session_cycle',
      `/${link}`,
    ]);
    expect((await recordsOfTenant(gate, tenant).get('sessions/a')).body).not.toHaveProperty(link);
  });

  it('may be the same session twice over, by two ways', async () => {
    await put('b', { parent_session_id: 'a' });
    await put('c', { parent_session_id: 'a' });

    expect((await put('d', { parent_session_id: 'b', predecessor_session_id: 'c' })).status).toBe(201);
  });

  it('is looked for in its own tenant alone', async () => {
    await put('a', { parent_session_id: 'b' });
    tenant = randomUUID();

    expect((await put('b', { parent_session_id: 'a' })).status).toBe(201);
  });

  it('is taken over by one successor', async () => {
    await put('b', { predecessor_session_id: 'a' });

    const refused = await put('c', { predecessor_session_id: 'a' });

    expect([refused.status, refused.string('/code')]).toEqual([409, 'session_has_successor']);
  });
});

describe('two processes at once', () => {
  it('never make two sessions ancestors of each other', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [a, b] = [`a-${round}`, `b-${round}`];
      await Promise.all([put(a), put(b)]);
      const link = round % 2 === 0 ? 'parent_session_id' : 'predecessor_session_id';

      const answers = await Promise.all([
        put(a, { [link]: b }),
        put(b, { parent_session_id: a }, { by: other }),
      ]);

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused?.string('/code')).toBe('session_cycle');
    }
  });

  it('never give a session two successors', async () => {
    const answers = await Promise.all([
      put('b', { predecessor_session_id: 'a' }),
      put('c', { predecessor_session_id: 'a' }, { by: other }),
    ]);

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe('whoever writes around the service', () => {
  const restricted = { code: '23001' };
  const sql = (session: string, columns: string) =>
    service.queryFor(tenant, `update sessions set ${columns} where session_id = '${session}' returning 1`);

  it.each(['parent_session_id', 'predecessor_session_id'])(
    'changes no %s, and closes no line',
    async (link) => {
      await put('a');
      await put('b', { [link]: 'a' });

      await expect(sql('b', `${link} = 'c'`)).rejects.toMatchObject(restricted);
      await expect(sql('b', `${link} = null`)).rejects.toMatchObject(restricted);
      await expect(sql('a', `parent_session_id = 'b'`)).rejects.toMatchObject(restricted);
      expect(await sql('b', 'budget_remaining = 1')).toHaveLength(1);
    },
  );
});

describe('a token for certain principals', () => {
  const tokenFor = async (principal: string) =>
    bearer(await mint(key, { tenants: [tenant], scope: scopes.join(' '), principals: [principal] }));
  const write = async (session: string, links: Links) =>
    recordsOfTenant(guarded, tenant).put(`sessions/${session}`, bodyOf(links), await tokenFor('user-42'));

  it.each(['parent_session_id', 'predecessor_session_id'])(
    "links no session to another principal's, and isn't told whether there is one: %s",
    async (link) => {
      await put('theirs', { principal_id: 'user-7' });
      await put('succeeded', { principal_id: 'user-7', predecessor_session_id: 'theirs' });
      await put('mine');

      const answers = [];
      for (const ancestor of ['theirs', 'nobodys']) answers.push(await write('mine', { [link]: ancestor }));

      expect(answers.map(({ status }) => status)).toEqual([403, 403]);
      const [theirs, nobodys] = answers.map(({ body }) => ({ ...(body as object), request_id: '' }));
      expect(theirs).toEqual(nobodys);
    },
  );

  it('links what is its own, and writes it again', async () => {
    await put('parent');

    expect((await write('child', { parent_session_id: 'parent' })).status).toBe(201);
    await put('parent', { principal_id: 'user-7' });
    expect((await write('child', { parent_session_id: 'parent', budget_remaining: 1 })).status).toBe(200);
  });
});
