import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { dropTracePartitions } from '../../../src/store/retention.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

let gate: TestApp;

beforeAll(async () => {
  gate = await createTestApp();
});

afterAll(() => gate.close());

/** A session that was sealed, stopped once and resumed once. */
async function livedSession() {
  const requests = requestsOf(randomUUID());
  await gate.seal(requests.sealRequest());
  await gate.rehydrate(requests.rehydrateRequest({ summary: 'Another summary.' }));
  await gate.rehydrate(requests.rehydrateRequest());
  return requests;
}

const pathOf = ({ tenant_id, session_id }: { tenant_id: string; session_id: string }) =>
  `/tenants/${tenant_id}/sessions/${session_id}`;

describe('the timeline of a session', () => {
  it('goes from the boundary to the resume, and links both', async () => {
    const requests = await livedSession();
    const { status, body } = await gate.get(`${pathOf(requests)}/timeline`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ session_epoch: 1, next_after: null });
    const { events } = body as { events: { event_id: string; event_type: string; payload: object }[] };
    expect(events.map(({ event_type }) => event_type)).toEqual([
      'context_compaction',
      'continuity_validation_failed',
      'context_rehydration',
    ]);
    const [boundary, ...outcomes] = events;
    for (const { payload } of outcomes) {
      expect(payload).toMatchObject({ boundary_event_id: boundary?.event_id });
    }
  });

  it('comes in pages that miss nothing', async () => {
    const requests = await livedSession();
    const first = await gate.get(`${pathOf(requests)}/timeline`, { limit: '2' });
    expect(first.body).toMatchObject({ next_after: 2 });
    const second = await gate.get(`${pathOf(requests)}/timeline`, { after: '2', limit: '2' });
    expect(second.body).toMatchObject({ events: [{ sequence: 3 }], next_after: null });
  });

  it('is not found for a session that the gate has never heard of', async () => {
    const { status } = await gate.get('/tenants/nobody/sessions/nothing/timeline');
    expect(status).toBe(404);
  });
});

describe('the integrity of a chain', () => {
  const integrityOf = async (session: { tenant_id: string; session_id: string }) =>
    (await gate.get(`${pathOf(session)}/trace-integrity`)).body;

  /** What only a superuser can do: change the trace behind its triggers. */
  const behindTheTriggers = async (sql: string, session: { tenant_id: string; session_id: string }) => {
    await gate.query('set session_replication_role = replica');
    await gate.query(sql, [session.tenant_id, session.session_id]);
    await gate.query('set session_replication_role = origin');
  };

  it('holds for a session that nobody touched', async () => {
    const requests = await livedSession();
    expect(await integrityOf(requests)).toEqual({ intact: true, events: 3, broken_at: null });
  });

  it.each([
    [
      'a changed reason',
      `update trace_events set reason = 'x' where tenant_id = $1 and session_id = $2 and sequence = 2`,
      2,
    ],
    [
      'one byte of a payload',
      `update trace_events set payload = jsonb_set(payload, '{claimed,envelope_id}', '"y"')
       where tenant_id = $1 and session_id = $2 and sequence = 2`,
      2,
    ],
    [
      'a later time',
      `update trace_events set occurred_at = occurred_at + interval '1 microsecond' where tenant_id = $1 and session_id = $2 and sequence = 3`,
      3,
    ],
    [
      'an event that is gone',
      'delete from trace_events where tenant_id = $1 and session_id = $2 and sequence = 2',
      2,
    ],
    [
      'an end that is gone',
      'delete from trace_events where tenant_id = $1 and session_id = $2 and sequence = 3',
      3,
    ],
    [
      'a beginning that is gone',
      'delete from trace_events where tenant_id = $1 and session_id = $2 and sequence = 1',
      1,
    ],
  ])('is broken by %s, and says where', async (_change, sql, broken_at) => {
    const requests = await livedSession();
    await behindTheTriggers(sql, requests);
    expect(await integrityOf(requests)).toMatchObject({ intact: false, broken_at });
  });

  it('counts what it finds broken', async () => {
    const requests = await livedSession();
    await behindTheTriggers(
      'delete from trace_events where tenant_id = $1 and session_id = $2 and sequence = 1',
      requests,
    );
    const count = async () => {
      const { text } = await gate.get('/metrics');
      return Number(/^continuity_gate_broken_chains_total (\d+)$/m.exec(text)?.[1]);
    };
    const before = await count();
    await integrityOf(requests);
    expect(await count()).toBe(before + 1);
  });

  it('follows a chain of many pages', async () => {
    const requests = requestsOf(randomUUID());
    const { tenant_id, session_id } = requests;
    for (let batch = 0; batch < 12; batch += 1) {
      await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          gate.inject({
            method: 'POST',
            url: `${pathOf(requests)}/events`,
            headers: { 'content-type': 'application/json' },
            payload: JSON.stringify({
              events: [{ event_id: `e-${batch}-${index}`, event_type: 'x', content_sha256: 'sha256:x' }],
            }),
          }),
        ),
      );
    }
    expect(await integrityOf({ tenant_id, session_id })).toEqual({
      intact: true,
      events: 1_200,
      broken_at: null,
    });
  });
});

const dayMs = 24 * 60 * 60 * 1_000;

describe('retention', () => {
  it('drops whole months, and what is left is verified from the anchor on', async () => {
    const requests = await livedSession();
    const { tenant_id, session_id } = requests;
    // As if the first event had happened in a month that is over: its partition holds nothing else.
    await gate.query(
      `create table trace_events_2020_01 partition of trace_events
       for values from ('2020-01-01Z') to ('2020-02-01Z')`,
    );
    await gate.query('set session_replication_role = replica');
    await gate.query(
      `update trace_events set occurred_at = '2020-01-15Z' where tenant_id = $1 and session_id = $2 and sequence = 1`,
      [tenant_id, session_id],
    );
    await gate.query('set session_replication_role = origin');

    expect(await dropTracePartitions(gate.connectionString, '2020-01-31T00:00:00Z')).toEqual([]);
    expect(await dropTracePartitions(gate.connectionString, '2020-02-01T00:00:00Z')).toEqual([
      'trace_events_2020_01',
    ]);

    const { body } = await gate.get(`${pathOf(requests)}/trace-integrity`);
    expect(body).toEqual({ intact: true, events: 2, broken_at: null });
  });

  it('keeps the month that is going on and those to come, whatever day it is given', async () => {
    const now = new Date();
    const thisMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
    const partitions = () =>
      gate.query(`select inhrelid from pg_inherits where inhparent = 'trace_events'::regclass`);
    const before = await partitions();
    const mistyped = [thisMonth + 1, thisMonth + 45 * dayMs, Date.UTC(now.getUTCFullYear() + 1000, 0)];

    for (const day of mistyped) {
      await expect(dropTracePartitions(gate.connectionString, new Date(day).toISOString())).rejects.toThrow(
        `only months that are over can be dropped, and this one began on ${new Date(thisMonth).toISOString().slice(0, 10)}`,
      );
    }

    expect(await partitions()).toEqual(before);
    expect(await dropTracePartitions(gate.connectionString, new Date(thisMonth).toISOString())).toEqual([]);
  });

  it('is not for the service', async () => {
    await expect(
      gate.database.transactSql('anyone', async (transaction) => ({
        result: await transaction.query({
          name: 'retention_of_the_service',
          text: `select drop_trace_partitions('2000-01-01Z')`,
          values: [],
        }),
      })),
    ).rejects.toThrow(/permission denied/);
  });
});

describe('the span that called', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  it('is recorded with the decision', async () => {
    const requests = requestsOf(randomUUID());
    await gate.seal(requests.sealRequest());
    await gate.rehydrate(requests.rehydrateRequest(), { traceparent });
    const events = await gate.storedEvents(requests);
    expect(events.at(-1)).toMatchObject({
      span_id: 'b7ad6b7169203331',
      trace_id: requests.rehydrateRequest().trace_id,
    });
  });

  it('is ignored where it is malformed', async () => {
    const requests = requestsOf(randomUUID());
    await gate.seal(requests.sealRequest());
    const { status } = await gate.rehydrate(requests.rehydrateRequest(), { traceparent: '00-zz-1' });
    expect(status).toBe(200);
    expect((await gate.storedEvents(requests)).at(-1)).toMatchObject({ span_id: null });
  });
});
