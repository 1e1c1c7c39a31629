import { chainSessionEvent, type LoggedEvent, type SessionEvent } from './session-event.js';
import type { ChainTip } from './trace-event.js';

/** A batch in a session's log: every event of it with its place, those that are new, and the log's new end. */
interface PlacedEvents {
  readonly events: readonly LoggedEvent[];
  readonly added: readonly LoggedEvent[];
  readonly end: ChainTip;
}

/**
 * Gives the events of a batch their places behind the end of a log. One that is in the log already, or earlier in the
 * batch, keeps the place that it has; an id that stands for another event there is a conflict, and nothing is placed.
 */
export function placeEvents(
  batch: readonly SessionEvent[],
  { logged, end: start }: { readonly logged: readonly LoggedEvent[]; readonly end: ChainTip },
): PlacedEvents | { readonly conflict: string } {
  const known = new Map(logged.map((event) => [event.event_id, event]));
  const events: LoggedEvent[] = [];
  const added: LoggedEvent[] = [];
  let end = start;
  for (const event of batch) {
    const before = known.get(event.event_id);
    if (before && !isSameEvent(before, event)) return { conflict: event.event_id };
    const placed = before ?? chainSessionEvent(event, end);
    if (!before) {
      known.set(event.event_id, placed);
      added.push(placed);
      end = { sequence: placed.sequence, sha256: placed.lineage_sha256 };
    }
    events.push(placed);
  }
  return { events, added, end };
}

function isSameEvent(one: SessionEvent, other: SessionEvent): boolean {
  return (
    one.event_type === other.event_type &&
    one.content_sha256 === other.content_sha256 &&
    one.occurred_at === other.occurred_at
  );
}
