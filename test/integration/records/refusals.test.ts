import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Answer } from '../../support/answer.js';
import { edited, valueAt, type Edit } from '../../support/edit-json.js';
import {
  changeRecord,
  matchingRecords,
  recordsOfTenant,
  writeMatchingRecords,
  type RecordName,
} from '../../support/records.js';
import { requestsOf, type Requests } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

let gate: TestApp;
let runs = 0;

beforeAll(async () => {
  gate = await createTestApp();
});

afterAll(() => gate.close());

describe('what never changes', () => {
  it.each([
    ['constraint', 'session_id'],
    ['approval', 'session_id'],
    ['approval', 'capability_name'],
    ['approval', 'action_digest'],
    ['side_effect', 'session_id'],
    ['side_effect', 'capability_name'],
    ['side_effect', 'approval_id'],
    ['side_effect', 'action_digest'],
  ] as const)('of a %s: %s', async (name, field) => {
    const run = newRun();
    await writeMatchingRecords(gate, run);

    await expectRefusal(
      run,
      name,
      { set: { [`/${field}`]: 'another' } },
      {
        code: 'record_field_frozen',
        field,
      },
    );
  });

  it('is told before what else is wrong', async () => {
    const run = newRun();
    await writeMatchingRecords(gate, run);
    await changeRecord(gate, run, 'approval', { set: { '/approval_status': 'revoked' } });

    await expectRefusal(
      run,
      'approval',
      { set: { '/action_digest': 'another', '/expires_at': '3000-01-01T00:00:00Z' } },
      { code: 'record_field_frozen', field: 'action_digest' },
    );
  });
});

describe('a status', () => {
  const machines = {
    principal: {
      active: ['suspended', 'removed'],
      suspended: ['active', 'removed'],
      removed: ['active', 'suspended'],
    },
    session: { active: ['cancelled', 'ended'], cancelled: [], ended: [] },
    obligation: { open: ['discharged'], discharged: [] },
    constraint: { active: ['withdrawn'], withdrawn: ['active'] },
    approval: {
      approved: ['pending', 'rejected', 'revoked', 'expired'],
      pending: ['approved', 'rejected', 'revoked', 'expired'],
      rejected: [],
      revoked: [],
      expired: [],
    },
    side_effect: {
      not_started: ['side_effect_committed', 'side_effect_unknown'],
      side_effect_committed: [],
      side_effect_unknown: [],
    },
  } satisfies Partial<Record<RecordName, Record<string, string[]>>>;

  const moves = Object.entries(machines).flatMap(([name, machine]: [string, Record<string, string[]>]) =>
    Object.entries(machine).flatMap(([from, next]) =>
      Object.keys(machine)
        .filter((to) => to !== from)
        .map((to) => ({ name: name as keyof typeof machines, from, to, allowed: next.includes(to) })),
    ),
  );

  it.each(moves.filter(({ allowed }) => allowed))(
    'of a $name goes from $from to $to',
    async ({ name, from, to }) => {
      const run = newRun();
      await putStatus(run, name, from);

      const changed = await putStatus(run, name, to);

      expect([changed.status, changed.string(`/${name}_status`)]).toEqual([200, to]);
    },
  );

  it.each(moves.filter(({ allowed }) => !allowed))(
    'of a $name does not go from $from to $to',
    async ({ name, from, to }) => {
      const run = newRun();
      await putStatus(run, name, from);

      await expectRefusal(run, name, statusEdit(name, to), {
        code: 'status_transition_refused',
        field: `${name}_status`,
      });
    },
  );

  it.each(
    Object.entries(machines).flatMap(([name, machine]) =>
      Object.keys(machine).map((status) => ({ name, status })),
    ),
  )('may be $status when a $name is first written', async ({ name, status }) => {
    expect((await putStatus(newRun(), name as keyof typeof machines, status)).status).toBe(201);
  });

  it('that is final does not keep the rest of its record from changing', async () => {
    const run = newRun();
    await putStatus(run, 'session', 'ended');

    const changed = await changeRecord(gate, run, 'session', {
      set: { '/session_status': 'ended', '/budget_remaining': 1 },
    });

    expect([changed.status, valueAt(changed.body, '/budget_remaining')]).toEqual([200, 1]);
  });

  function putStatus(run: Requests, name: keyof typeof machines, status: string): Promise<Answer> {
    return changeRecord(gate, run, name, statusEdit(name, status));
  }

  function statusEdit(name: keyof typeof machines, status: string): Edit {
    return {
      set: { [`/${name}_status`]: status, ...(status === 'discharged' && { '/evidence_refs': ['receipt'] }) },
    };
  }
});

describe('an approval', () => {
  it.each(['2998-12-31T23:59:59.999999Z', '2020-01-01T00:00:00Z', '2999-12-31T23:59:59.999998Z'])(
    'expires earlier: %s',
    async (time) => {
      const run = newRun();
      await changeRecord(gate, run, 'approval', {});

      const changed = await changeRecord(gate, run, 'approval', { set: { '/expires_at': time } });

      expect(changed.status).toBe(200);
    },
  );

  it.each(['3000-01-01T00:00:00Z', '2999-12-31T23:59:59.999999-00:01', '9999-12-31T23:59:59Z'])(
    'never expires later: %s',
    async (time) => {
      const run = newRun();
      await writeMatchingRecords(gate, run);

      await expectRefusal(
        run,
        'approval',
        { set: { '/expires_at': time } },
        {
          code: 'expiry_extended',
          field: 'expires_at',
        },
      );
    },
  );

  it('expires at the same moment in whichever zone it is told', async () => {
    const run = newRun();
    const created = await changeRecord(gate, run, 'approval', {
      set: { '/expires_at': '2030-01-01T00:00:00Z' },
    });

    const again = await changeRecord(gate, run, 'approval', {
      set: { '/expires_at': '2030-01-01T05:30:00.000000+05:30' },
    });

    expect([again.status, again.text]).toEqual([200, created.text]);
    expect(again.string('/expires_at')).toBe('2030-01-01T00:00:00.000000Z');
  });

  it('binds one side effect', async () => {
    const run = newRun();
    await writeMatchingRecords(gate, run);
    const { path, body } = matchingRecords(run).side_effect;
    const before = await stateOf(run);

    const refused = await recordsOf(run).put(`${path}-2`, body);

    expect(refused).toMatchObject({ status: 409 });
    expect(refused.body).toMatchObject({
      code: 'approval_already_bound',
      errors: [{ pointer: '/approval_id' }],
    });
    expect(valueAt(refused.body, '/current')).toBeUndefined();
    expect(await stateOf(run)).toEqual(before);
  });

  it('binds one side effect of two that are written at once, in one session or in two', async () => {
    for (const other of [(run: Requests) => run.session_id, (run: Requests) => `${run.session_id}-2`]) {
      const run = newRun();
      const { path, body } = matchingRecords(run).side_effect;

      const answers = await Promise.all([
        recordsOf(run).put(path, body),
        recordsOf(run).put(`${path}-2`, edited(body, { set: { '/session_id': other(run) } })),
      ]);

      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
      expect(answers.find(({ status }) => status === 409)?.string('/code')).toBe('approval_already_bound');
    }
  });

  const agreed = ['session_id', 'capability_name', 'action_digest'] as const;

  it.each(agreed)('and a later side effect agree on %s', async (field) => {
    const run = newRun();
    await writeMatchingRecords(gate, run, { without: ['side_effect'] });

    await expectRefusal(
      run,
      'side_effect',
      { set: { [`/${field}`]: 'another' } },
      { code: 'approval_mismatch', field },
    );
  });

  it.each(agreed)('agrees with an earlier side effect on %s', async (field) => {
    const run = newRun();
    await writeMatchingRecords(gate, run, { without: ['approval'] });

    await expectRefusal(
      run,
      'approval',
      { set: { [`/${field}`]: 'another' } },
      { code: 'approval_mismatch', field },
    );
  });

  it.each(agreed)('agrees on %s with a side effect that is written at once', async (field) => {
    const run = newRun();
    const records = matchingRecords(run);

    const answers = await Promise.all([
      recordsOf(run).put(records.approval.path, records.approval.body),
      recordsOf(run).put(
        records.side_effect.path,
        edited(records.side_effect.body, { set: { [`/${field}`]: 'another' } }),
      ),
    ]);

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.string('/code')).toBe('approval_mismatch');
  });
});

it.each(['approval', 'constraint', 'side_effect'] as const)(
  'a %s belongs to the first of two sessions that claim it at once',
  async (name) => {
    const run = newRun();
    const { path, body } = matchingRecords(run)[name];

    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((session) =>
        recordsOf(run).put(path, edited(body, { set: { '/session_id': session } })),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const [owner] = answers.flatMap((answer) =>
      answer.status === 201 ? [answer.string('/session_id')] : [],
    );
    for (const refused of answers.filter(({ status }) => status === 409)) {
      expect([refused.string('/code'), refused.string('/current/session_id')]).toEqual([
        'record_field_frozen',
        owner,
      ]);
    }
  },
);

describe.each(['session', 'side_effect'] as const)('a %s write that says its epoch', (name) => {
  it('is made in the current one', async () => {
    const run = newRun();
    const first = await changeRecord(gate, run, name, { set: { '/session_epoch': 0 } });
    await resumeOnce(run);

    const again = await changeRecord(gate, run, name, { set: { '/session_epoch': 1 } });

    expect([first.status, again.status]).toEqual([201, 200]);
    expect(valueAt(first.body, '/session_epoch')).toBeUndefined();
  });

  it.each([0, 2])('is refused in another one, such as %d of 1', async (session_epoch) => {
    const run = newRun();
    await resumeOnce(run);
    const before = await stateOf(run);
    const { path, body } = matchingRecords(run)[name];

    const refused = await recordsOf(run).put(path, { ...body, session_epoch });

    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: 'stale_epoch',
      held_by: run.rehydrateRequest().runtime_id,
    });
    expect(refused.body).not.toHaveProperty('session_epoch');
    expect(refused.string('/held_since')).toMatch(/Z$/);
    expect(await stateOf(run)).toEqual(before);
  });

  it('is refused in the epoch of a session that nobody has resumed', async () => {
    const run = newRun();
    const { path, body } = matchingRecords(run)[name];

    const refused = await recordsOf(run).put(path, { ...body, session_epoch: 1 });

    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: 'stale_epoch',
      held_by: null,
      held_since: null,
    });
    expect((await recordsOf(run).get(path)).status).toBe(404);
  });
});

it.each(['obligation', 'constraint', 'approval'] as const)('a %s write knows no epoch', async (name) => {
  const run = newRun();
  const { path, body } = matchingRecords(run)[name];

  const refused = await recordsOf(run).put(path, { ...body, session_epoch: 0 });

  expect([refused.status, refused.string('/detail')]).toEqual([
    400,
    'Continuity field is not supported: session_epoch',
  ]);
});

/** Holds a write to its refusal: the code, the field, the record as it is, and nothing changed. */
async function expectRefusal(
  run: Requests,
  name: RecordName,
  edit: Edit,
  { code, field }: { code: string; field: string },
): Promise<void> {
  const { path, body } = matchingRecords(run)[name];
  const before = await stateOf(run);
  const current = await recordsOf(run).get(path);

  const refused = await recordsOf(run).put(path, edited(body, edit));

  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ code, status: 409, errors: [{ pointer: `/${field}` }] });
  expect(valueAt(refused.body, '/current')).toEqual(
    current.status === 404 ? undefined : edited(current.body, { remove: ['/text', '/objective'] }),
  );
  expect(await stateOf(run)).toEqual(before);
  const after = await recordsOf(run).get(path);
  expect(after.status).toBe(current.status);
  if (current.status === 200) expect(after.text).toBe(current.text);
}

async function resumeOnce(run: Requests): Promise<void> {
  await writeMatchingRecords(gate, run);
  expect((await gate.seal(run.sealRequest())).status).toBe(201);
  const resumed = await gate.rehydrate(run.rehydrateRequest({ current_state: undefined }));
  expect(resumed.status).toBe(200);
}

/** What a refusal leaves alone: the revisions of the tenant's records and its trace. */
async function stateOf({ tenant_id }: Requests) {
  const tables = ['sessions', 'obligations', 'constraints', 'approvals', 'side_effects', 'principals'];
  const revisions = tables.map(
    (table) => `select '${table}' as name, sum(revision)::text as count from ${table} where tenant_id = $1`,
  );
  return gate.query(
    `${revisions.join(' union all ')} union all select 'events', count(*)::text from trace_events where tenant_id = $1`,
    [tenant_id],
  );
}

function recordsOf({ tenant_id }: Requests) {
  return recordsOfTenant(gate, tenant_id);
}

function newRun(): Requests {
  runs += 1;
  return requestsOf(`r${runs}`);
}
