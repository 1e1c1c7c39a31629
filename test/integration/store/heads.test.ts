import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { valueAt } from '../../support/edit-json.js';
import { recordsOfTenant, writeMatchingRecords } from '../../support/records.js';
import { requestsOf, type Requests } from '../../support/requests.js';
import { connectAsService, type ServiceRole } from '../../support/service-role.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

/** What the service's own login may not do, whatever program it is that uses it. */

const restricted = { code: '23001' };
const insufficientPrivilege = { code: '42501' };

let gate: TestApp;
let service: ServiceRole;

beforeAll(async () => {
  gate = await createTestApp();
  service = await connectAsService(gate.connectionString);
});

afterAll(async () => {
  await service.close();
  await gate.close();
});

describe("a session's head never goes back:", () => {
  it.each([
    ['to an earlier epoch', 'session_epoch = session_epoch - 1'],
    ['to nobody that holds it', 'session_epoch = 0, held_by = null, held_since = null'],
    ['to another holder of the same epoch', `held_by = 'mal'`],
    ['to an earlier moment of the same epoch', `held_since = held_since - interval '1 hour'`],
    ['to records that do not count', 'has_records = false'],
    ['to an earlier end of the log', 'event_sequence = event_sequence - 1'],
    ['to another digest of the log', `lineage_sha256 = repeat('0', 64)`],
    ['to an earlier end of its trace', 'trace_sequence = trace_sequence - 1'],
    ['to another digest of its trace', `trace_sha256 = repeat('0', 64)`],
    [
      'to how it began',
      `event_sequence = 0, lineage_sha256 = default, trace_sequence = 0, trace_sha256 = default`,
    ],
    ['to an older envelope', `newest_envelope_id = 'first'`],
    [
      'to an older envelope, with an event',
      `newest_envelope_id = 'first', trace_sequence = trace_sequence + 1`,
    ],
    ['to no envelope', 'newest_envelope_id = null'],
    ['to an envelope that is not there', `newest_envelope_id = 'nowhere'`],
    ['to another session', `session_id = 'another'`],
  ])('%s', async (_what, change) => {
    const run = await livedSession();
    const head = await headOf(run);

    await expect(service.queryFor(run.tenant_id, `update session_heads set ${change}`)).rejects.toMatchObject(
      restricted,
    );

    expect(await headOf(run)).toEqual(head);
  });

  it('to the newest envelope of another session', async () => {
    const [run, other] = [await livedSession(), requestsOf('elsewhere')];
    const sealed = await gate.seal(other.sealRequest({ envelope: { tenant_id: run.tenant_id } }));
    expect(sealed.status).toBe(201);

    await expect(
      service.queryFor(
        run.tenant_id,
        `update session_heads set newest_envelope_id = '${other.envelope_id}' where session_id = '${run.session_id}'`,
      ),
    ).rejects.toMatchObject(restricted);
  });
});

describe("a tenant's head never goes back:", () => {
  it.each([
    ['to an earlier end of its trace', 'trace_sequence = trace_sequence - 1'],
    ['to another digest of its trace', `trace_sha256 = repeat('0', 64)`],
    ['to how it began', 'trace_sequence = 0, trace_sha256 = default'],
  ])('%s', async (_what, change) => {
    const run = await livedSession();
    const head = await gate.query('select * from tenant_heads where tenant_id = $1', [run.tenant_id]);

    await expect(service.queryFor(run.tenant_id, `update tenant_heads set ${change}`)).rejects.toMatchObject(
      restricted,
    );

    expect(head).toHaveLength(1);
    expect(await gate.query('select * from tenant_heads where tenant_id = $1', [run.tenant_id])).toEqual(
      head,
    );
  });
});

describe('an event of the trace', () => {
  const given =
    'event_id, event_type, schema_version, occurred_at, tenant_id, session_id, actor, payload, sequence';
  const rest = 'previous_sha256, event_sha256';

  it('stands where the database puts it, and nowhere else', async () => {
    const run = await livedSession();
    for (const [column, value, overriding] of [
      ['transaction_id', `'3'::xid8`, ''],
      ['transaction_id', 'default', ''],
      ['position', '1', 'overriding system value'],
    ]) {
      await expect(
        service.queryFor(
          run.tenant_id,
          `insert into trace_events (${given}, ${rest}, ${column}) ${overriding} values (${forged(run, 99)}, ${value})`,
        ),
        column,
      ).rejects.toMatchObject(insufficientPrivilege);
    }
  });

  it('stands before no first one', async () => {
    const run = await livedSession();

    await expect(
      service.queryFor(
        run.tenant_id,
        `insert into trace_events (${given}, ${rest}) values (${forged(run, 0)})`,
      ),
    ).rejects.toMatchObject({ code: '23514' });
  });

  it.each([
    ['behind the end of its chain', 1],
    ['far behind it', 1_000],
    ['in the place of the last one', 0],
    ['in the place of the first one', undefined],
  ])('that the service forges %s breaks the chain', async (_where, behind) => {
    const run = await livedSession();
    const [head] = await headOf(run);
    const sequence = behind === undefined ? 1 : Number(head?.['trace_sequence']) + behind;
    const integrity = async () =>
      (await gate.get(`/tenants/${run.tenant_id}/sessions/${run.session_id}/trace-integrity`)).body;
    expect(await integrity()).toMatchObject({ intact: true });

    await service.queryFor(
      run.tenant_id,
      `insert into trace_events (${given}, ${rest}) values (${forged(run, sequence)})`,
    );

    expect(await integrity()).toMatchObject({ intact: false });
  });

  function forged({ tenant_id, session_id }: Requests, sequence: number): string {
    return `'${randomUUID()}', 'reset_boundary', 'v', clock_timestamp(), '${tenant_id}', '${session_id}', 'mal', '{}', ${sequence}, 'p', 'e'`;
  }
});

/** With records and a log, sealed twice and resumed in between; its tenant has a chain of its own. */
async function livedSession(): Promise<Requests> {
  const run = requestsOf(randomUUID());
  await writeMatchingRecords(gate, run);
  const fromRecords = { current_state: undefined, source_event_range: undefined };
  expect((await gate.seal(run.sealRequest({ envelope: { envelope_id: 'first' } }))).status).toBe(201);
  const go = await gate.rehydrate(run.rehydrateRequest({ ...fromRecords, envelope_id: 'first' }));
  expect([go.status, valueAt(go.body, '/session_epoch')]).toEqual([200, 1]);
  const next = run.sealRequest({ envelope: { envelope_id: 'second' } });
  expect((await gate.seal({ ...next, session_epoch: 1 })).status).toBe(201);
  await recordsOfTenant(gate, run.tenant_id).put('policy', { policy_version: 'policy-v5' });
  return run;
}

function headOf({ tenant_id, session_id }: Requests): Promise<Record<string, unknown>[]> {
  return gate.query('select * from session_heads where tenant_id = $1 and session_id = $2', [
    tenant_id,
    session_id,
  ]);
}
