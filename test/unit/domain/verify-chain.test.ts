import { describe, expect, it } from 'vitest';

import {
  chainEvent,
  chainStart,
  noSubject,
  type ChainTip,
  type TraceEvent,
} from '../../../src/domain/trace-event.js';
import {
  endChain,
  followChain,
  type ChainBounds,
  type ChainProgress,
} from '../../../src/domain/verify-chain.js';

const start: ChainTip = { sequence: 0, sha256: chainStart };
const events = chainOf(5);
const [first, second, third, fourth, fifth] = events as [
  TraceEvent,
  TraceEvent,
  TraceEvent,
  TraceEvent,
  TraceEvent,
];
const sound: ChainBounds = { recorded: tipOf(fifth), anchor: start, last_sequence: 5 };

describe('a chain that is followed', () => {
  it.each([
    ['holds', events, null],
    ['misses its beginning', events.slice(1), 1],
    ['misses one in between', [first, second, fourth, fifth], 3],
    ['holds one twice', [first, second, second, third], 3],
    ['is in another order', [first, third, second], 2],
    ['holds a changed event', [first, { ...second, actor: 'mal' }, third], 2],
    ['holds an event of another history', [first, { ...second, previous_sha256: chainStart }], 2],
  ])('%s', (_what, found, brokenAt) => {
    expect(verify(found).brokenAt).toBe(brokenAt);
  });

  it('is followed no further than to where it broke', () => {
    expect(verify([first, third, fourth])).toEqual({ tip: tipOf(first), brokenAt: 2 });
  });
});

describe('the end of a chain', () => {
  it.each<[string, Partial<ChainBounds>, number | null]>([
    ['is where its head says', {}, null],
    ['is not where the head says: events stand behind it', { last_sequence: 7 }, 6],
    [
      'is not where the head says: retention has dropped later ones',
      { anchor: { sequence: 8, sha256: 'a' } },
      6,
    ],
    ['is another event than the head says', { recorded: { sequence: 5, sha256: 'other' } }, 5],
    ['comes before the head', { recorded: { sequence: 7, sha256: 'gone' } }, 6],
  ])('%s', (_what, bounds, brokenAt) => {
    expect(endChain(verify(events), { ...sound, ...bounds }).brokenAt).toBe(brokenAt);
  });

  it('of a chain that broke before stays broken there', () => {
    expect(endChain({ tip: tipOf(first), brokenAt: 2 }, { ...sound, last_sequence: 9 }).brokenAt).toBe(2);
  });

  it('is the anchor where retention has dropped all of it', () => {
    const bounds = { recorded: tipOf(fifth), anchor: tipOf(fifth), last_sequence: null };

    expect(endChain({ tip: bounds.anchor, brokenAt: null }, bounds).brokenAt).toBeNull();
  });

  it('of a chain without any event is its start', () => {
    const bounds = { recorded: start, anchor: start, last_sequence: null };

    expect(endChain({ tip: start, brokenAt: null }, bounds).brokenAt).toBeNull();
  });
});

function verify(found: readonly TraceEvent[]): ChainProgress {
  return followChain({ tip: start, brokenAt: null }, found);
}

function tipOf({ sequence, event_sha256: sha256 }: TraceEvent): ChainTip {
  return { sequence, sha256 };
}

function chainOf(length: number): TraceEvent[] {
  let tip = start;
  return Array.from({ length }, (_, index) => {
    const event = chainEvent(
      {
        ...noSubject,
        event_id: `00000000-0000-7000-8000-00000000000${index}`,
        event_type: 'control_record_written',
        occurred_at: '2026-03-01T10:00:00.000000Z',
        tenant_id: 'tenant',
        session_id: 'session',
        actor: 'open',
        payload: {},
      },
      tip,
    );
    tip = tipOf(event);
    return event;
  });
}
