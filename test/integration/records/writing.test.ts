import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { recordKinds, type KnownKind } from '../../../src/domain/record-kinds.js';
import type { Answer } from '../../support/answer.js';
import { edited, valueAt } from '../../support/edit-json.js';
import {
  everyRecord,
  matchingRecords,
  recordsOfTenant,
  type RecordName,
  type TenantRecords,
} from '../../support/records.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

/** One change that each kind allows. */
const changes: Record<RecordName, Readonly<Record<string, unknown>>> = {
  policy: { '/policy_version': 'policy-v5' },
  capability: { '/capability_version': 'create-ticket-v4' },
  principal: { '/principal_status': 'suspended' },
  session: { '/checkpoint_ref': 'checkpoint-2', '/budget_remaining': 0.1 },
  obligation: { '/obligation_status': 'discharged', '/evidence_refs': ['receipt-1', 'receipt-2'] },
  constraint: { '/text': 'Never close a ticket at all.', '/forbids_capability': 'close_ticket' },
  approval: { '/expires_at': '2998-12-31T23:59:59.999999Z' },
  side_effect: { '/side_effect_status': 'side_effect_unknown' },
};

/** Kinds of which nothing is told to a writer. */
const sensitive: Partial<Record<RecordName, string>> = { session: '/objective', constraint: '/text' };

let gate: TestApp;
let runs = 0;

beforeAll(async () => {
  gate = await createTestApp();
});

afterAll(() => gate.close());

/** What a kind may say beyond what every test needs. */
const optional = {
  capability: { '/approval_required': false },
  approval: {
    '/requested_by': 'requester',
    '/decided_by': 'approver-1',
    '/self_approval': false,
    '/eligible_approvers': ['approver-1', 'approver-2'],
    '/required_approvals': 2,
    '/decisions': [
      { decided_by: 'approver-1', decision: 'approved' },
      { decided_by: 'approver-2', decision: 'rejected' },
    ],
  },
};

it.each(['capability', 'approval'] as const)('a %s record keeps all that it may say', async (name) => {
  const { records, path, body } = recordNamed(name);
  const full = edited(body, { set: optional[name] });

  const written = [await records.put(path, full), await records.put(path, full)];
  const read = await records.get(path);

  expect(written.map(({ status, body: told }) => [status, valueAt(told, '/revision')])).toEqual([
    [201, 1],
    [200, 1],
  ]);
  expect(read.body).toMatchObject(full as object);
});

describe.each(everyRecord)('a %s record', (name) => {
  it('is written first with 201, changed with 200, and has its revision as its entity tag', async () => {
    const { records, path, body, tenant_id } = recordNamed(name);

    const created = await records.put(path, body);
    const changed = await records.put(path, edited(body, { set: changes[name] }));

    expect([created.status, changed.status]).toEqual([201, 200]);
    expect([created, changed].map(tagAndRevision)).toEqual([
      ['"1"', 1],
      ['"2"', 2],
    ]);
    expect(created.body).toMatchObject({ tenant_id, ...toldOf(name, body) });
    expect(updatedAt(changed) > updatedAt(created)).toBe(true);
  });

  it('is not written again when it is equal: no revision, no time, no event', async () => {
    const { records, path, body, events } = recordNamed(name);
    const created = await records.put(path, body);
    const before = await events();

    const again = await records.put(path, body);

    expect(again.status).toBe(200);
    expect([again.text, again.headers['etag']]).toEqual([created.text, '"1"']);
    expect(await events()).toEqual(before);
  });

  it('is equal when it differs in white space around its strings alone', async () => {
    const { records, path, body } = recordNamed(name);
    await records.put(path, body);

    const again = await records.put(path, padded(body));

    expect([again.status, again.headers['etag']]).toEqual([200, '"1"']);
  });

  it('is read with all that it holds', async () => {
    const { records, path, body, tenant_id, keys } = recordNamed(name);
    const changed = edited(body, { set: changes[name] });
    await records.put(path, body);
    await records.put(path, changed);

    const read = await records.get(path);

    expect([read.status, read.headers['etag']]).toEqual([200, '"2"']);
    const { updated_at, ...rest } = read.body as { updated_at: string };
    expect(rest).toEqual({ tenant_id, ...keys, ...(changed as object), revision: 2 });
    expect(updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  it('leaves one event a change, with its kind, id and revision and nothing that it says', async () => {
    const { records, path, body, events, id } = recordNamed(name);
    await records.put(path, body);
    await records.put(path, edited(body, { set: changes[name] }));

    const written = await events();

    expect(written.map(({ payload }) => payload)).toEqual([
      { kind: name, id, revision: 1 },
      { kind: name, id, revision: 2 },
    ]);
    expect(written.map(({ event_type, actor }) => [event_type, actor])).toEqual([
      ['control_record_written', 'open'],
      ['control_record_written', 'open'],
    ]);
  });

  it('is told to its writer without free text', async () => {
    const { records, path, body } = recordNamed(name);

    const created = await records.put(path, body);

    const pointer = sensitive[name];
    if (pointer !== undefined) {
      expect(valueAt(body, pointer)).toBeTypeOf('string');
      expect(valueAt(created.body, pointer)).toBeUndefined();
    }
    expect(
      Object.keys(toldOf(name, body)).filter((key) => valueAt(created.body, `/${key}`) === undefined),
    ).toEqual([]);
  });

  it('does not exist before it is written, nor in another tenant', async () => {
    const { records, path, body } = recordNamed(name);
    const stranger = recordsOfTenant(gate, 'stranger');

    const missing = await records.get(path);
    await records.put(path, body);

    expect([missing.status, missing.string('/code')]).toEqual([404, 'record_not_found']);
    expect((await stranger.get(path)).status).toBe(404);
  });

  it('is written once when the same is sent many times at once', async () => {
    const { records, path, body, events } = recordNamed(name);

    const answers = await Promise.all(Array.from({ length: 8 }, () => records.put(path, body)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(await events()).toHaveLength(1);
  });

  describe('with If-Match', () => {
    it('is written when it is at that revision, or at any where it is there', async () => {
      const { records, path, body } = recordNamed(name);
      await records.put(path, body);

      const byRevision = await records.put(path, edited(body, { set: changes[name] }), {
        'if-match': ' "1" ',
      });
      const byAny = await records.put(path, edited(body, { set: changes[name] }), { 'if-match': '*' });

      expect([byRevision.status, byAny.status]).toEqual([200, 200]);
      expect([byRevision, byAny].map(tagAndRevision)).toEqual([
        ['"2"', 2],
        ['"2"', 2],
      ]);
    });

    it.each(['"2"', '"99"'])('is left alone at another revision than %s, and told as it is', async (tag) => {
      const { records, path, body, events } = recordNamed(name);
      const created = await records.put(path, body);

      const refused = await records.put(path, edited(body, { set: changes[name] }), { 'if-match': tag });

      expect([refused.status, refused.string('/code')]).toEqual([412, 'precondition_failed']);
      expect(valueAt(refused.body, '/current')).toEqual(created.body);
      expect((await records.get(path)).headers['etag']).toBe('"1"');
      expect(await events()).toHaveLength(1);
    });

    it.each(['*', '"1"'])('is not made where there is none: %s', async (tag) => {
      const { records, path, body, events } = recordNamed(name);

      const refused = await records.put(path, body, { 'if-match': tag });

      expect([refused.status, valueAt(refused.body, '/current')]).toEqual([412, undefined]);
      expect((await records.get(path)).status).toBe(404);
      expect(await events()).toEqual([]);
    });

    it.each([
      '1',
      '"0"',
      '"01"',
      '"-1"',
      '"1.0"',
      '"x"',
      'W/"1"',
      '"1", "2"',
      '"1" "2"',
      '**',
      '""',
      '"1000000000000000"',
    ])('refuses what is no entity tag of this service: %s', async (tag) => {
      const { records, path, body } = recordNamed(name);

      const refused = await records.put(path, body, { 'if-match': tag });

      expect([refused.status, refused.string('/code')]).toEqual([400, 'schema_invalid']);
      expect(valueAt(refused.body, '/errors/0/pointer')).toBe('/headers/if-match');
      expect((await records.get(path)).status).toBe(404);
    });
  });

  it('is refused with the operator error of its first fault', async () => {
    const { records, path, body } = recordNamed(name);
    const [field = ''] = Object.keys(body as object);

    const unknown = await records.put(path, { ...(body as object), authorized: true });
    const missing = await records.put(path, edited(body, { remove: [`/${field}`] }));
    const none = await records.put(path, []);

    expect([unknown, missing, none].map(({ status, contentType }) => [status, contentType])).toEqual(
      Array(3).fill([400, 'application/problem+json; charset=utf-8']),
    );
    expect([unknown, missing, none].map((answer) => answer.string('/detail'))).toEqual([
      'Continuity field is not supported: authorized',
      `Continuity field is required: ${field}`,
      'Continuity request must be an object',
    ]);
    expect(valueAt(missing.body, '/errors/0/pointer')).toBe(`/${field}`);
    expect((await records.get(path)).status).toBe(404);
  });
});

it('ids of a path are read like ids of a body: decoded, trimmed, and of any characters that an id may have', async () => {
  const { records, body } = recordNamed('constraint');
  const odd = 'event:user/1 ü?#%2F&=+;日本😀';

  const created = await records.put(`constraints/${encodeURIComponent(` \u00a0${odd}\u2003`)}`, body);

  expect([created.status, created.string('/constraint_ref')]).toEqual([201, odd]);
  expect((await records.get(`constraints/${encodeURIComponent(odd)}`)).status).toBe(200);
});

it.each([
  ['%20', 'Continuity field is required: constraint_ref'],
  ['k'.repeat(513), 'Continuity field is too long: constraint_ref'],
  ['a%00b', undefined],
  ['a%C2%85b', undefined],
])('an id of a path that no id can be is refused: %s', async (id, detail) => {
  const { records, body } = recordNamed('constraint');

  const refused = await records.put(`constraints/${id}`, body);

  expect([refused.status, refused.string('/code')]).toEqual([400, 'schema_invalid']);
  if (detail !== undefined) expect(refused.string('/detail')).toBe(detail);
});

it.each([0, 7, 0.1, 0.30000000000000004, 5e-324, 1.7976931348623157e308, 9007199254740991])(
  'a budget of %d is kept to the last digit',
  async (budget) => {
    const { records, path, body } = recordNamed('session');
    await records.put(path, edited(body, { set: { '/budget_remaining': budget } }));

    const read = await records.get(path);

    expect(valueAt(read.body, '/budget_remaining')).toBe(budget);
    expect(
      (await records.put(path, edited(body, { set: { '/budget_remaining': budget } }))).headers['etag'],
    ).toBe('"1"');
  },
);

it('a field that was left out is gone, and one that never was is not told as null', async () => {
  const { records, path, body } = recordNamed('session');
  const optional = ['/sandbox_snapshot_ref', '/budget_remaining', '/objective'];
  await records.put(path, body);

  await records.put(path, edited(body, { remove: optional }));

  const read = await records.get(path);
  expect(optional.map((pointer) => valueAt(read.body, pointer))).toEqual([undefined, undefined, undefined]);
});

describe('no record needs another one to be there first:', () => {
  it.each(everyRecord)('%s', async (name) => {
    const { records, path, body } = recordNamed(name);

    expect((await records.put(path, body)).status).toBe(201);
  });
});

interface Named {
  readonly records: TenantRecords;
  readonly path: string;
  readonly body: unknown;
  readonly tenant_id: string;
  readonly keys: Readonly<Record<string, unknown>>;
  /** Its name in its events. */
  readonly id: string;
  /** All events of the tenant, in the order of their chains. */
  readonly events: () => ReturnType<typeof eventsOf>;
}

/** A record of a tenant of its own, not written yet. */
function recordNamed(name: RecordName): Named {
  runs += 1;
  const run = requestsOf(`w${runs}`);
  const { tenant_id } = run;
  const { path, body } = matchingRecords(run)[name];
  const kind: KnownKind = recordKinds[name];
  const known: Record<string, string | undefined> = {
    capability_name: run.envelope().capability_name,
    approval_id: run.envelope().approval_id,
    principal_id: run.principal_id,
    session_id: run.session_id,
    obligation_id: run.obligation_id,
    constraint_ref: run.constraint_ref,
    idempotency_key: run.idempotency_key,
  };
  const keys = kind.keys.map((key) => [key, known[key] ?? key] as const);
  return {
    records: recordsOfTenant(gate, tenant_id),
    path,
    body,
    tenant_id,
    keys: Object.fromEntries(keys),
    id: keys.at(-1)?.[1] ?? name,
    events: () => eventsOf(tenant_id),
  };
}

function eventsOf(tenantId: string) {
  return gate.query<{ event_type: string; actor: string; session_id: string | null; payload: object }>(
    `select event_type, actor, session_id, payload from trace_events where tenant_id = $1 order by sequence`,
    [tenantId],
  );
}

/** What a writer is told of a body: all but its free text. */
function toldOf(name: RecordName, body: unknown): object {
  return edited(body, { remove: sensitive[name] === undefined ? [] : [sensitive[name]] }) as object;
}

function padded(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (_key, value: unknown) =>
    typeof value === 'string' ? `\u2003 ${value}\u0085\n` : value,
  );
}

function tagAndRevision(answer: Answer): unknown[] {
  return [answer.headers['etag'], valueAt(answer.body, '/revision')];
}

function updatedAt(answer: Answer): string {
  return answer.string('/updated_at');
}
