import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { recordKinds, type KnownKind, type RecordKindName } from '../../../src/domain/record-kinds.js';
import { connectAsService, type ServiceRole } from '../../support/service-role.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const restricted = { code: '23001' };
const violatesCheck = { code: '23514' };
const notUnique = { code: '23505' };
const insufficientPrivilege = { code: '42501' };

/** A row of each kind as SQL literals, without its tenant. */
const rows = {
  policy: { table: 'policies', columns: { policy_version: `'policy-v4'` } },
  capability: {
    table: 'capabilities',
    columns: { capability_name: `'create_ticket'`, capability_version: `'v3'` },
  },
  principal: { table: 'principals', columns: { principal_id: `'user-42'`, principal_status: `'active'` } },
  session: {
    table: 'sessions',
    columns: {
      session_id: `'session-1'`,
      session_status: `'active'`,
      principal_id: `'user-42'`,
      authorization_mode: `'platform_owned'`,
      delegated_principal_id: `''`,
      delegated_scope: `''`,
      idempotency_key: `'intent-1'`,
      checkpoint_ref: `'checkpoint-1'`,
      budget_remaining: '7',
    },
  },
  obligation: {
    table: 'obligations',
    columns: {
      session_id: `'session-1'`,
      obligation_id: `'obligation-1'`,
      obligation_status: `'open'`,
      evidence_refs: `array['evidence-1']`,
    },
  },
  constraint: {
    table: 'constraints',
    columns: {
      constraint_ref: `'constraint-1'`,
      session_id: `'session-1'`,
      text: `'Ask first.'`,
      constraint_status: `'active'`,
      sha256: `'sha256:text'`,
    },
  },
  approval: {
    table: 'approvals',
    columns: {
      approval_id: `'approval-1'`,
      session_id: `'session-1'`,
      capability_name: `'create_ticket'`,
      action_digest: `'sha256:action'`,
      approval_status: `'approved'`,
      expires_at: `'2999-01-01T00:00:00Z'`,
    },
  },
  side_effect: {
    table: 'side_effects',
    columns: {
      idempotency_key: `'intent-1'`,
      session_id: `'session-1'`,
      capability_name: `'create_ticket'`,
      approval_id: `'approval-1'`,
      action_digest: `'sha256:action'`,
      side_effect_status: `'not_started'`,
    },
  },
} satisfies Record<RecordKindName, { table: string; columns: Readonly<Record<string, string>> }>;

const kinds: { name: RecordKindName; table: string; kind: KnownKind }[] = (
  Object.keys(rows) as RecordKindName[]
).map((name) => ({ name, table: rows[name].table, kind: recordKinds[name] }));
const appended = ['session_events', 'reconciliations'] as const;

let gate: TestApp;
let service: ServiceRole;
let tenant: string;
let tenants = 0;

beforeAll(async () => {
  gate = await createTestApp();
  service = await connectAsService(gate.connectionString);
});

beforeEach(() => {
  tenants += 1;
  tenant = `tenant-${tenants}`;
});

afterAll(async () => {
  await service.close();
  await gate.close();
});

describe('the state machines', () => {
  it('are the same in the code and in the database, but for what only a reconciliation may do', async () => {
    const inTheDatabase = await gate.query<{ rule: string }>(
      `select concat_ws(' ', status_column, from_status, to_status) as rule from status_transitions`,
    );
    const inTheCode = kinds.flatMap(({ kind: { status } }) =>
      Object.entries(status?.next ?? {}).flatMap(([from, next]) =>
        next.map((to) => `${status?.field ?? ''} ${from} ${to}`),
      ),
    );
    const byReconciliation = ['side_effect_committed', 'not_started'].map(
      (outcome) => `side_effect_status side_effect_unknown ${outcome}`,
    );

    expect(inTheDatabase.map(({ rule }) => rule).sort()).toEqual([...inTheCode, ...byReconciliation].sort());
  });

  const pairs = kinds.flatMap(({ name, kind: { status } }) =>
    Object.keys(status?.next ?? {}).flatMap((from, _index, all) =>
      all.filter((to) => to !== from).map((to) => ({ name, field: status?.field ?? '', from, to })),
    ),
  );

  it.each(pairs)('hold a $name from $from to $to, whoever writes', async ({ name, field, from, to }) => {
    await insert(name, { [field]: `'${from}'` });
    const allowed = recordKinds[name as 'principal'].status.next[from as 'active'].includes(to as 'removed');

    const changed = update(name, `${field} = '${to}'`);

    await (allowed
      ? expect(changed).resolves.toEqual([{ revision: '2' }])
      : expect(changed).rejects.toMatchObject(restricted));
  });

  it.each(kinds.flatMap(({ name, kind: { status } }) => (status ? [{ name, field: status.field }] : [])))(
    'begin in no status of a $name that is not known',
    async ({ name, field }) => {
      await expect(insert(name, { [field]: `'forgotten'` })).rejects.toMatchObject(violatesCheck);
    },
  );

  it('know no other authorization mode of a session', async () => {
    await expect(insert('session', { authorization_mode: `'root'` })).rejects.toMatchObject(violatesCheck);
  });
});

describe('what never changes', () => {
  const frozen = kinds.flatMap(({ name, kind }) =>
    ['tenant_id', ...kind.keys, ...kind.frozen].map((column) => ({ name, column })),
  );

  it.each(frozen)('$column of a $name', async ({ name, column }) => {
    await insert(name);

    await expect(update(name, `${column} = 'another'`)).rejects.toMatchObject(restricted);
  });
});

describe('a record', () => {
  it.each(kinds)('of kind $name counts its revisions itself, and keeps its own time', async ({ name }) => {
    await insert(name);
    const [before] = await stored(name);

    await update(name, `revision = 99, updated_at = '2000-01-01T00:00:00Z'`);

    const [after] = await stored(name);
    expect([before?.revision, after?.revision]).toEqual(['1', '2']);
    expect(after?.updated_at.getTime()).toBeGreaterThanOrEqual(before?.updated_at.getTime() ?? Infinity);
  });

  it.each(kinds)('of kind $name may not be deleted by the service', async ({ name, table }) => {
    await insert(name);

    await expect(service.queryFor(tenant, `delete from ${table}`)).rejects.toMatchObject(
      insufficientPrivilege,
    );
    await expect(service.queryFor(tenant, `truncate ${table}`)).rejects.toMatchObject(insufficientPrivilege);
    expect(await stored(name)).toHaveLength(1);
  });

  it.each(kinds)('of kind $name is seen and changed by its own tenant alone', async ({ name, table }) => {
    await insert(name);

    expect(await service.query(`select * from ${table}`)).toEqual([]);
    expect(await service.queryFor('stranger', `select * from ${table}`)).toEqual([]);
    expect(await service.queryFor('stranger', `update ${table} set revision = 2 returning 1`)).toEqual([]);
    await expect(insert(name, {}, 'stranger')).rejects.toMatchObject(insufficientPrivilege);
  });
});

describe('an approval', () => {
  it('runs out earlier, and never later', async () => {
    await insert('approval');

    await update('approval', `expires_at = '2998-12-31T23:59:59.999999Z'`);

    await expect(update('approval', `expires_at = '2999-01-01T00:00:00Z'`)).rejects.toMatchObject(restricted);
    await expect(update('approval', `expires_at = 'infinity'`)).rejects.toMatchObject(restricted);
  });

  it('binds one side effect', async () => {
    await insert('side_effect');

    await expect(insert('side_effect', { idempotency_key: `'intent-2'` })).rejects.toMatchObject(notUnique);
  });

  const disagreements = ['session_id', 'capability_name', 'action_digest'].map((column) => ({ column }));

  it.each(disagreements)('has no side effect with another $column', async ({ column }) => {
    await insert('approval');

    await expect(insert('side_effect', { [column]: `'another'` })).rejects.toMatchObject(restricted);
  });

  it.each(disagreements)('has the $column of its side effect', async ({ column }) => {
    await insert('side_effect');

    await expect(insert('approval', { [column]: `'another'` })).rejects.toMatchObject(restricted);
  });

  it.each(disagreements)('agrees on $column with an effect that is written meanwhile', async ({ column }) => {
    const other = await connectAsService(gate.connectionString);
    await other.query('begin');
    await other.query(`select set_config('continuity.tenant_id', $1, true)`, [tenant]);
    await other.query(insertion('approval', {}, tenant));

    const second = insert('side_effect', { [column]: `'another'` });
    const outcome = expect(second).rejects.toMatchObject(restricted);
    await expect.poll(waitingForLocks).toBe(1);
    await other.query('commit');

    await outcome;
    await other.close();
  });
});

describe('an unknown side effect', () => {
  const settlement = (revision: number, outcome: string) =>
    `insert into reconciliations (tenant_id, idempotency_key, revision, reconciled_at, outcome, evidence_refs, reconciled_by)
     values (current_tenant(), 'intent-1', ${revision}, clock_timestamp(), '${outcome}', array['receipt'], 'somebody')`;

  beforeEach(async () => {
    await insert('side_effect');
    await update('side_effect', `side_effect_status = 'side_effect_unknown'`);
  });

  it.each(['side_effect_committed', 'not_started'])('becomes %s by its reconciliation', async (outcome) => {
    await service.queryFor(tenant, settlement(3, outcome));

    await update('side_effect', `side_effect_status = '${outcome}'`);

    expect(await stored('side_effect')).toMatchObject([{ side_effect_status: outcome, revision: '3' }]);
  });

  it.each([
    { what: 'no reconciliation', settled: [] },
    { what: 'a reconciliation of another outcome', settled: [settlement(3, 'side_effect_committed')] },
    { what: 'a reconciliation of an earlier revision', settled: [settlement(2, 'not_started')] },
  ])('stays unknown with $what', async ({ settled }) => {
    for (const sql of settled) await service.queryFor(tenant, sql);

    await expect(update('side_effect', `side_effect_status = 'not_started'`)).rejects.toMatchObject(
      restricted,
    );
  });

  it('is not settled on no evidence', async () => {
    const sql = settlement(3, 'not_started').replace(`array['receipt']`, `'{}'::text[]`);

    await expect(service.queryFor(tenant, sql)).rejects.toMatchObject(violatesCheck);
  });

  it('is not settled as unknown', async () => {
    await expect(service.queryFor(tenant, settlement(3, 'side_effect_unknown'))).rejects.toMatchObject(
      violatesCheck,
    );
  });
});

it.each(['null', `'{}'::text[]`])('an obligation is not discharged on %s', async (evidence) => {
  await insert('obligation');

  await expect(
    update('obligation', `obligation_status = 'discharged', evidence_refs = ${evidence}`),
  ).rejects.toMatchObject(violatesCheck);
});

it.each(['-1', `'NaN'`, `'infinity'`])('nothing is left of a budget of %s', async (budget) => {
  await expect(insert('session', { budget_remaining: budget })).rejects.toMatchObject(violatesCheck);
});

describe.each(appended)('%s', (table) => {
  beforeEach(async () => {
    await insert('side_effect', { side_effect_status: `'side_effect_unknown'` });
    await service.queryFor(
      tenant,
      table === 'session_events'
        ? `insert into session_events values ('${tenant}', 'session-1', 1, 'e-1', 'call', 'sha256:c', null, 'l')`
        : `insert into reconciliations values ('${tenant}', 'intent-1', 2, clock_timestamp(), 'not_started', array['e'], 'me')`,
    );
  });

  afterEach(async () => {
    expect(await gate.query(`select from ${table} where tenant_id = $1`, [tenant])).toHaveLength(1);
  });

  it.each(['update # set tenant_id = tenant_id', 'delete from #', 'truncate #'])(
    'is only ever added to: %s',
    async (template) => {
      const sql = template.replace('#', table);

      await expect(service.queryFor(tenant, sql)).rejects.toMatchObject(insufficientPrivilege);
      await expect(gate.query(sql)).rejects.toMatchObject(restricted);
    },
  );

  it('is seen by its own tenant alone', async () => {
    expect(await service.query(`select * from ${table}`)).toEqual([]);
    expect(await service.queryFor('stranger', `select * from ${table}`)).toEqual([]);
    expect(await service.queryFor(tenant, `select * from ${table}`)).toHaveLength(1);
  });
});

it('the rules of the state machines may not be changed by the service', async () => {
  await expect(
    service.query(`insert into status_transitions values ('session_status', 'ended', 'active')`),
  ).rejects.toMatchObject(insufficientPrivilege);
});

type Columns = Readonly<Record<string, string>>;

function insert(name: RecordKindName, changes: Columns = {}, speaker = tenant): Promise<unknown[]> {
  return service.queryFor(speaker, insertion(name, changes, tenant));
}

function insertion(name: RecordKindName, changes: Columns, owner: string): string {
  const columns: Columns = { tenant_id: `'${owner}'`, ...rows[name].columns, ...changes };
  return `insert into ${rows[name].table} (${Object.keys(columns).join()}) values (${Object.values(columns).join()})`;
}

function update(name: RecordKindName, changes: string): Promise<unknown[]> {
  return service.queryFor(tenant, `update ${rows[name].table} set ${changes} returning revision`);
}

function stored(name: RecordKindName) {
  return gate.query<{ revision: string; updated_at: Date }>(
    `select * from ${rows[name].table} where tenant_id = $1`,
    [tenant],
  );
}

async function waitingForLocks(): Promise<number> {
  const [row] = await gate.query<{ count: number }>(
    `select count(*)::integer from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}
