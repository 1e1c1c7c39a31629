import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Answer } from '../../support/answer.js';
import { canonical, sha256Hex } from '../../support/canonical-json.js';
import { valueAt } from '../../support/edit-json.js';
import { recordsOfTenant } from '../../support/records.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

interface LoggedEvent {
  readonly event_id: string;
  readonly event_type: string;
  readonly content_sha256: string;
  readonly sequence: number;
  readonly lineage_sha256: string;
}

let gate: TestApp;
let sessions = 0;

beforeAll(async () => {
  gate = await createTestApp();
});

afterAll(() => gate.close());

describe('a batch', () => {
  it('gets its places in its own order, from 1 on, behind what is there', async () => {
    const log = newLog();

    const first = await log.append(eventsOf('a', 'b'));
    const second = await log.append(eventsOf('c'));

    expect([first.status, second.status]).toEqual([201, 201]);
    expect([valueAt(first.body, '/added'), valueAt(second.body, '/added')]).toEqual([2, 1]);
    expect(
      [...eventsIn(first), ...eventsIn(second)].map(({ event_id, sequence }) => [event_id, sequence]),
    ).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
    expect(await log.read()).toEqual([...eventsIn(first), ...eventsIn(second)]);
  });

  it('has a running digest that anyone can recompute', async () => {
    const log = newLog();
    await log.append(eventsOf('a', 'b', 'ü 日本'));
    await log.append(eventsOf('d'));

    const events = await log.read();

    expect(events.map(({ lineage_sha256 }) => lineage_sha256)).toEqual(recomputed(events));
  });

  it('keeps the places of events that are there already, and appends the others', async () => {
    const log = newLog();
    const first = await log.append(eventsOf('a', 'b'));

    const mixed = await log.append(eventsOf('b', 'c', 'a', 'c'));

    expect([mixed.status, valueAt(mixed.body, '/added')]).toEqual([201, 1]);
    expect(eventsIn(mixed).map(({ sequence }) => sequence)).toEqual([2, 3, 1, 3]);
    expect(eventsIn(mixed)[0]).toEqual(eventsIn(first)[1]);
    expect(await log.read()).toHaveLength(3);
  });

  it('of nothing new is answered with 200, and leaves no event', async () => {
    const log = newLog();
    const first = await log.append(eventsOf('a', 'b'));

    const again = await log.append(eventsOf('a', 'b'));

    expect([again.status, valueAt(again.body, '/added')]).toEqual([200, 0]);
    expect(eventsIn(again)).toEqual(eventsIn(first));
    expect(await log.traced()).toHaveLength(1);
  });

  it.each([
    ['type', { event_type: 'message' }],
    ['content', { content_sha256: 'sha256:other' }],
    ['time', { occurred_at: '2026-07-21T16:58:00Z' }],
  ])('with an id that stands for an event of another %s is refused whole', async (_what, change) => {
    const log = newLog();
    await log.append(eventsOf('a'));

    const refused = await log.append([...eventsOf('b'), { ...eventOf('a'), ...change }, ...eventsOf('c')]);

    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'event_conflict', current: { event_id: 'a' } });
    expect(await log.read()).toHaveLength(1);
    expect(await log.traced()).toHaveLength(1);
  });

  it('that contradicts itself is refused whole', async () => {
    const log = newLog();

    const refused = await log.append([...eventsOf('a', 'b'), { ...eventOf('a'), event_type: 'message' }]);

    expect([refused.status, refused.string('/code')]).toEqual([409, 'event_conflict']);
    expect(await log.read()).toEqual([]);
  });

  it('of 1,000 events is taken, and one of 1,001 is not', async () => {
    const log = newLog();
    const many = Array.from({ length: 1_001 }, (_, index) => eventOf(`event-${index}`));

    const refused = await log.append(many);
    const taken = await log.append(many.slice(1));

    expect([refused.status, refused.string('/detail')]).toEqual([
      400,
      'Continuity field is too long: events',
    ]);
    expect([taken.status, valueAt(taken.body, '/added')]).toEqual([201, 1_000]);
    const events = await log.read();
    expect(events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => index + 1),
    );
    expect(events.map(({ lineage_sha256 }) => lineage_sha256)).toEqual(recomputed(events));
  });

  it('leaves one event of the trace, which says how far the log reaches', async () => {
    const log = newLog();
    await log.append(eventsOf('a', 'b', 'c'));
    await log.append(eventsOf('d', 'a'));

    const events = await log.traced();

    expect(events.map(({ event_type, payload }) => ({ event_type, payload }))).toEqual(
      [3, 4].map((revision) => ({
        event_type: 'control_record_written',
        payload: { kind: 'session_events', id: log.session_id, revision },
      })),
    );
  });

  it('of ids that are too long together for a key is refused, and nothing of it is kept', async () => {
    const log = newLog();

    const refused = await log.append([eventOf('a'), eventOf('😀'.repeat(256) + astral(256))]);

    expect([refused.status, refused.string('/code')]).toEqual([400, 'schema_invalid']);
    expect(await log.read()).toEqual([]);
  });

  it('keeps the time of an event as it was told', async () => {
    const log = newLog();

    await log.append([{ ...eventOf('a'), occurred_at: '2026-07-21T18:58:00.5+02:00' }]);

    expect(await log.read()).toMatchObject([{ occurred_at: '2026-07-21T18:58:00.5+02:00' }]);
  });
});

describe('many appenders at once', () => {
  it('leave one log without a gap, each batch of it in one piece', async () => {
    const log = newLog();
    const batches = Array.from({ length: 12 }, (_, batch) =>
      Array.from({ length: 5 }, (_, index) => eventOf(`batch-${batch}-event-${index}`)),
    );

    const answers = await Promise.all(batches.map((batch) => log.append(batch)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const events = await log.read();
    expect(events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 60 }, (_, index) => index + 1),
    );
    expect(events.map(({ lineage_sha256 }) => lineage_sha256)).toEqual(recomputed(events));
    for (const answer of answers) {
      const [first = 0, ...rest] = eventsIn(answer).map(({ sequence }) => sequence);
      expect(rest).toEqual([1, 2, 3, 4].map((step) => first + step));
    }
  });

  it('of the same batch write it once', async () => {
    const log = newLog();
    const batch = eventsOf('a', 'b', 'c');

    const answers = await Promise.all(Array.from({ length: 8 }, () => log.append(batch)));

    expect(answers.map((answer) => Number(valueAt(answer.body, '/added'))).sort()).toEqual([
      0, 0, 0, 0, 0, 0, 0, 3,
    ]);
    const events = await log.read();
    expect(events).toHaveLength(3);
    expect(answers.map(eventsIn)).toEqual(answers.map(() => events));
  });

  it('of overlapping batches leave every event once', async () => {
    const log = newLog();
    const batches = Array.from({ length: 8 }, (_, start) =>
      Array.from({ length: 6 }, (_, index) => eventOf(`event-${(start * 3 + index) % 20}`)),
    );

    await Promise.all(batches.map((batch) => log.append(batch)));

    const events = await log.read();
    expect(events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(20);
    expect(events.map(({ lineage_sha256 }) => lineage_sha256)).toEqual(recomputed(events));
  });
});

describe('the log', () => {
  it('is read in pages, each from behind a place', async () => {
    const log = newLog();
    await log.append(eventsOf('a', 'b', 'c', 'd', 'e'));
    const pages: unknown[] = [];

    for (let after = 0; ;) {
      const page = await log.page({ after: after.toString(), limit: '2' });
      pages.push(eventsIn(page).map(({ event_id }) => event_id));
      const next = valueAt(page.body, '/next_after');
      if (next === null) break;
      after = Number(next);
    }

    expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('ends with the page that is just full', async () => {
    const log = newLog();
    await log.append(eventsOf('a', 'b'));

    expect((await log.page({ limit: '2' })).body).toMatchObject({ next_after: null });
    expect((await log.page({ after: '2' })).body).toEqual({ events: [], next_after: null });
    expect((await log.page({ after: '9007199254740991' })).body).toEqual({ events: [], next_after: null });
  });

  it.each([
    ['limit', '0'],
    ['limit', '1001'],
    ['limit', 'x'],
    ['after', '-1'],
    ['after', '1.5'],
    ['after', '9007199254740992'],
    ['from', '1'],
  ])('knows no %s of %s', async (name, value) => {
    expect((await newLog().page({ [name]: value })).status).toBe(400);
  });

  it('of a session that has none is empty, and another session and tenant see nothing of it', async () => {
    const log = newLog();
    await log.append(eventsOf('a'));
    const elsewhere = recordsOfTenant(gate, 'stranger');

    expect(await newLog().read()).toEqual([]);
    expect((await elsewhere.get(`sessions/${log.session_id}/events`)).body).toEqual({
      events: [],
      next_after: null,
    });
  });

  it('of two sessions may hold the same ids', async () => {
    const [one, other] = [newLog(), newLog()];

    await one.append(eventsOf('a', 'b'));
    await other.append(eventsOf('b'));

    expect((await other.read()).map(({ sequence }) => sequence)).toEqual([1]);
  });
});

function newLog() {
  sessions += 1;
  const tenant_id = 'log-tenant';
  const session_id = `log-${sessions}`;
  const records = recordsOfTenant(gate, tenant_id);
  const path = `sessions/${session_id}/events`;
  const page = (query: Readonly<Record<string, string>>) =>
    records.get(`${path}?${new URLSearchParams(query).toString()}`);
  return {
    session_id,
    append: (events: readonly object[]) => records.post(path, { events }),
    page,
    read: async () => eventsIn(await page({ limit: '1000' })),
    traced: () => gate.storedEvents({ tenant_id, session_id }),
  };
}

function eventsIn({ body }: Answer): LoggedEvent[] {
  return valueAt(body, '/events') as LoggedEvent[];
}

function eventsOf(...ids: string[]) {
  return ids.map(eventOf);
}

function eventOf(event_id: string) {
  return { event_id, event_type: 'tool_call', content_sha256: `sha256:content of ${event_id}` };
}

/** The running digests, by the contract alone. */
function recomputed(events: readonly LoggedEvent[]): string[] {
  let previous = '0'.repeat(64);
  return events.map(({ sequence, event_id, event_type, content_sha256 }) => {
    previous = sha256Hex(canonical({ previous, sequence, event_id, event_type, content_sha256 }));
    return previous;
  });
}

/** Text of so many characters that does not compress. */
function astral(length: number): string {
  return Array.from({ length }, (_, index) => String.fromCodePoint(0x10000 + ((index * 7919) % 0xffff))).join(
    '',
  );
}
