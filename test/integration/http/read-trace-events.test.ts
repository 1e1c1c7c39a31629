import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { valueAt } from '../../support/edit-json.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { eventsOf, eventually, readPages, readTrace } from '../../support/trace-pages.js';

let gate: TestApp;

beforeAll(async () => {
  gate = await createTestApp();
});

afterAll(() => gate.close());

it('200: gives each event with all that its digest covers', async () => {
  const run = requestsOf('whole');
  const sealed = await gate.seal(run.sealRequest());

  const [event] = await readTrace(gate, { tenant_id: run.tenant_id }, 1);

  expect(Object.keys(event ?? {}).sort()).toEqual([
    'actor',
    'decision_id',
    'envelope_id',
    'event_id',
    'event_sha256',
    'event_type',
    'occurred_at',
    'payload',
    'previous_sha256',
    'principal_id',
    'reason',
    'schema_version',
    'sequence',
    'session_id',
    'span_id',
    'status',
    'tenant_id',
    'trace_id',
  ]);
  expect(event).toMatchObject({
    event_id: sealed.string('/trace_event/event_id'),
    occurred_at: sealed.string('/created_at'),
    sequence: 1,
    previous_sha256: '0'.repeat(64),
    span_id: null,
    decision_id: null,
  });
});

it('200: nothing of a tenant that has nothing, and of another tenant nothing at all', async () => {
  await gate.seal(requestsOf('someone').sealRequest());

  const answer = await gate.get('/trace-events', { tenant_id: 'nobody' });

  expect(answer.body).toEqual({ events: [], next_cursor: null });
});

describe('the filters', () => {
  const run = requestsOf('filtered');
  const tenant_id = run.tenant_id;
  let occurred: string[] = [];

  beforeAll(async () => {
    await gate.seal(run.sealRequest());
    await gate.rehydrate(run.rehydrateRequest({ summary: 'another one' }));
    await gate.rehydrate(run.rehydrateRequest());
    await gate.seal(
      run.sealRequest({
        envelope: { session_id: 'second', envelope_id: 'other', reset_reason: 'role_handoff' },
      }),
    );
    await gate.rehydrate(run.rehydrateRequest({ session_id: 'second', envelope_id: 'nothing' }));
    const events = await readTrace(gate, { tenant_id }, 5);
    occurred = events.map((event) => String(valueAt(event, '/occurred_at')));
  });

  it.each([
    [{}, [1, 2, 3, 4, 5]],
    [{ session_id: 'second' }, [4, 5]],
    [{ envelope_id: run.envelope_id }, [1, 2, 3]],
    [{ trace_id: 'filtered-trace-2' }, [2, 3, 5]],
    [{ event_type: 'context_compaction' }, [1]],
    [{ event_type: 'reset_boundary' }, [4]],
    [{ event_type: 'continuity_validation_failed' }, [2, 5]],
    [{ event_type: 'side_effect_reconciled' }, []],
    [{ reason: 'summary_digest_mismatch' }, [2]],
    [{ reason: 'continuity_validated', session_id: 'second' }, []],
    [{ event_type: 'continuity_validation_failed', session_id: run.session_id }, [2]],
    [{ session_id: "' or true --" }, []],
    [{ envelope_id: '%' }, []],
  ])('%o', async (filter, wanted) => {
    await eventually(async () => {
      const answer = await gate.get('/trace-events', { tenant_id, ...filter });
      expect(eventsOf(answer.body).map((event) => valueAt(event, '/occurred_at'))).toEqual(
        wanted.map((number) => occurred[number - 1]),
      );
    });
  });

  it('from is included and to is not, to the microsecond and in any offset', async () => {
    const [, second, , fourth] = occurred;
    const between = async (from: string, to: string) =>
      (await readPages(gate, { tenant_id, from, to })).flat().map((event) => valueAt(event, '/occurred_at'));

    await eventually(async () => {
      expect(await between(second ?? '', fourth ?? '')).toEqual(occurred.slice(1, 3));
      expect(await between(inOffset(second ?? '', 23), inOffset(fourth ?? '', 16))).toEqual(
        occurred.slice(1, 3),
      );
      expect(await between('0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z')).toEqual(occurred);
      expect(await between('0000-12-31T23:59:59-23:59', '9999-12-31T23:59:59+23:59')).toEqual(occurred);
    });
  });
});

describe('the pages', () => {
  const run = requestsOf('paged');
  const tenant_id = run.tenant_id;

  beforeAll(async () => {
    for (let index = 0; index < 7; index += 1)
      await gate.rehydrate(run.rehydrateRequest({ trace_id: `t${index}` }));
    await readTrace(gate, { tenant_id }, 7);
  });

  it.each([
    ['1', [1, 1, 1, 1, 1, 1, 1]],
    ['3', [3, 3, 1]],
    ['6', [6, 1]],
    ['7', [7]],
    ['1000', [7]],
  ])('of %s have every event once and in order', async (limit, sizes) => {
    await eventually(async () => {
      const pages = await readPages(gate, { tenant_id, limit });
      expect(pages.map((page) => page.length)).toEqual(sizes);
      expect(pages.flat().map((event) => valueAt(event, '/trace_id'))).toEqual(
        Array.from({ length: 7 }, (_, index) => `t${index}`),
      );
    });
  });

  it('go on where they were when events are added meanwhile', async () => {
    const cursor = await eventually(async () => {
      const first = await gate.get('/trace-events', { tenant_id, limit: '4' });
      return first.string('/next_cursor');
    });
    await gate.rehydrate(run.rehydrateRequest({ trace_id: 't7' }));

    await eventually(async () => {
      const rest = await gate.get('/trace-events', { tenant_id, cursor });
      expect(eventsOf(rest.body).map((event) => valueAt(event, '/trace_id'))).toEqual([
        't4',
        't5',
        't6',
        't7',
      ]);
    });
  });

  it('keep to their filter', async () => {
    await eventually(async () => {
      const pages = await readPages(gate, { tenant_id, limit: '1', trace_id: 't3' });
      expect(pages.map((page) => page.length)).toEqual([1]);
    });
  });
});

it('a late commit is returned late and never skipped', async () => {
  const run = requestsOf('late');
  const { tenant_id } = run;
  const seal = (number: number) =>
    gate.seal(run.sealRequest({ envelope: { session_id: `late-${number}`, envelope_id: `e${number}` } }));
  await seal(1);
  await seal(2);
  await readTrace(gate, { tenant_id }, 2);
  const open = new Client({ connectionString: gate.connectionString });
  await open.connect();
  await open.query('begin');
  await open.query(
    `insert into trace_events
       (event_id, event_type, schema_version, occurred_at, tenant_id, session_id, actor, envelope_id, payload,
        sequence, previous_sha256, event_sha256)
     values (gen_random_uuid(), 'context_compaction', 'v', clock_timestamp(), $1, 'late-3', 'open', 'e3', '{}', 1,
             '', '')`,
    [tenant_id],
  );
  await seal(4);

  const cursor = await eventually(async () => {
    const first = await gate.get('/trace-events', { tenant_id, limit: '1' });
    expect(envelopesIn(first.body)).toEqual(['e1']);
    return first.string('/next_cursor');
  });
  const next = async () =>
    envelopesIn((await gate.get('/trace-events', { tenant_id, limit: '9', cursor })).body);
  // The fourth is committed, but the third began before it and may still come.
  await eventually(async () => {
    expect(await next()).toEqual(['e2']);
  });
  await open.query('commit');
  await open.end();

  await eventually(async () => {
    expect(await next()).toEqual(['e2', 'e3', 'e4']);
  });
});

describe('400', () => {
  const whole = 'tenant_id=a&';

  it.each([
    ['', '/querystring/tenant_id'],
    ['tenant_id=a&tenant_id=a', '/querystring/tenant_id'],
    [`${whole}limit=0`, '/querystring/limit'],
    [`${whole}limit=1001`, '/querystring/limit'],
    [`${whole}limit=-1`, '/querystring/limit'],
    [`${whole}limit=`, '/querystring/limit'],
    [`${whole}limit=abc`, '/querystring/limit'],
    [`${whole}limit=1e2`, '/querystring/limit'],
    [`${whole}limit=0x10`, '/querystring/limit'],
    [`${whole}limit=1.5`, '/querystring/limit'],
    [`${whole}limit=true`, '/querystring/limit'],
    [`${whole}limit=%2B5`, '/querystring/limit'],
    [`${whole}limit=5&limit=6`, '/querystring/limit'],
    [`${whole}cursor=`, '/querystring/cursor'],
    [`${whole}cursor=garbage`, '/querystring/cursor'],
    [`${whole}cursor=${Buffer.from('1').toString('base64url')}`, '/querystring/cursor'],
    [`${whole}cursor=${Buffer.from('-1.1').toString('base64url')}`, '/querystring/cursor'],
    [`${whole}cursor=${Buffer.from('1.1;select 1').toString('base64url')}`, '/querystring/cursor'],
    [`${whole}cursor=${Buffer.from(`1.${'9'.repeat(30)}`).toString('base64url')}`, '/querystring/cursor'],
    [`${whole}cursor=${'A'.repeat(101)}`, '/querystring/cursor'],
    [`${whole}event_type=everything`, '/querystring/event_type'],
    [`${whole}from=yesterday`, '/querystring/from'],
    [`${whole}from=2026-07-21T17:00:00`, '/querystring/from'],
    [`${whole}to=2026-02-30T00:00:00Z`, '/querystring/to'],
    [`${whole}to=2026-07-21T24:00:00Z`, '/querystring/to'],
    [`${whole}session_id=`, '/querystring/session_id'],
    [`${whole}session_id=%00`, '/querystring/session_id'],
    [`${whole}session=b`, '/querystring/session'],
  ])('%s', async (query, pointer) => {
    const answer = await gate.inject({ method: 'GET', url: `/trace-events?${query}` });

    expect(answer.status).toBe(400);
    expect(answer.string('/code')).toBe('schema_invalid');
    expect(answer.string('/errors/0/pointer')).toBe(pointer);
  });
});

function envelopesIn(body: unknown): unknown[] {
  return eventsOf(body).map((event) => valueAt(event, '/envelope_id'));
}

/** The same moment, written in an offset that is as many hours ahead. */
function inOffset(moment: string, hours: number): string {
  const shifted = new Date(Date.parse(moment) + hours * 3_600_000).toISOString();
  return `${shifted.slice(0, 19)}${moment.slice(19, 26)}+${hours}:00`;
}
