import { expect, it } from 'vitest';

import { placeEvents } from '../../../src/domain/place-events.js';
import { chainSessionEvent } from '../../../src/domain/session-event.js';
import { chainStart } from '../../../src/domain/trace-event.js';

const start = { sequence: 0, sha256: chainStart };
const one = { event_id: 'event-1', event_type: 'tool_call', content_sha256: 'sha256:one' };
const two = { event_id: 'event-2', event_type: 'tool_call', content_sha256: 'sha256:two' };
const placedOne = chainSessionEvent(one, start);
const afterOne = { sequence: 1, sha256: placedOne.lineage_sha256 };
const placedTwo = chainSessionEvent(two, afterOne);

it('places new events behind the end, each behind the one before', () => {
  expect(placeEvents([one, two], { logged: [], end: start })).toEqual({
    events: [placedOne, placedTwo],
    added: [placedOne, placedTwo],
    end: { sequence: 2, sha256: placedTwo.lineage_sha256 },
  });
});

it('leaves an event of the log, or of the same batch, where it is', () => {
  expect(placeEvents([one, two, two], { logged: [placedOne], end: afterOne })).toEqual({
    events: [placedOne, placedTwo, placedTwo],
    added: [placedTwo],
    end: { sequence: 2, sha256: placedTwo.lineage_sha256 },
  });
});

it.each([{ event_type: 'other' }, { content_sha256: 'other' }, { occurred_at: '2026-07-21T16:58:00Z' }])(
  'places nothing where an id stands for another event: %o',
  (other) => {
    const batch = [two, { ...one, ...other }];

    expect(placeEvents(batch, { logged: [placedOne], end: afterOne })).toEqual({ conflict: 'event-1' });
  },
);
