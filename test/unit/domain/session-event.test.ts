import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';

import { AppendEventsBody, chainSessionEvent } from '../../../src/domain/session-event.js';

const event = {
  event_id: 'event-0001',
  event_type: 'user_message',
  content_sha256: 'sha256:one',
  occurred_at: '2026-07-21T16:58:00+02:00',
};
const start = { sequence: 0, sha256: '0'.repeat(64) };

describe("an event of a session's log", () => {
  it('takes the place behind the end of the log, and says all that it said', () => {
    expect(chainSessionEvent(event, { ...start, sequence: 141 })).toEqual({
      ...event,
      sequence: 142,
      lineage_sha256: digestOf({ previous: start.sha256, sequence: 142 }),
    });
  });

  it('has a running digest that anyone can recompute from the log', () => {
    const first = chainSessionEvent(event, start);
    const second = chainSessionEvent(event, { sequence: 1, sha256: first.lineage_sha256 });

    expect(first.lineage_sha256).toBe(digestOf({ previous: start.sha256, sequence: 1 }));
    expect(second.lineage_sha256).toBe(digestOf({ previous: first.lineage_sha256, sequence: 2 }));
  });

  it.each(['event_id', 'event_type', 'content_sha256'])(
    'has another running digest with another %s',
    (field) => {
      const { lineage_sha256 } = chainSessionEvent({ ...event, [field]: 'tampered' }, start);

      expect(lineage_sha256).not.toBe(chainSessionEvent(event, start).lineage_sha256);
    },
  );

  it('has a running digest that its time is no part of: clocks are not lineage', () => {
    const later = { ...event, occurred_at: '2026-07-21T17:00:00Z' };

    expect(chainSessionEvent(later, start).lineage_sha256).toBe(
      chainSessionEvent(event, start).lineage_sha256,
    );
  });
});

it('the documented batch has events and no other field', () => {
  expect(AppendEventsBody).toMatchObject({
    $id: 'AppendEventsBody',
    title: 'AppendEventsBody',
    additionalProperties: false,
    properties: {
      events: {
        minItems: 1,
        maxItems: 1_000,
        items: { additionalProperties: false, properties: { occurred_at: { format: 'date-time' } } },
      },
    },
  });
});

function digestOf(place: { previous: string; sequence: number }): string {
  const { event_id, event_type, content_sha256 } = event;
  const text = canonicalize({ ...place, event_id, event_type, content_sha256 });
  return createHash('sha256')
    .update(text ?? '')
    .digest('hex');
}
