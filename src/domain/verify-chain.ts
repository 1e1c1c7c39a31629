import { eventDigest, type ChainTip, type TraceEvent } from './trace-event.js';

/** How far a chain was followed, and where it broke. */
export interface ChainProgress {
  readonly tip: ChainTip;
  /** Sequence of the first event that is missing, changed or out of place; null while the chain holds. */
  readonly brokenAt: number | null;
}

/** Follows a chain over the next of its events, in their order. */
export function followChain(start: ChainProgress, events: readonly TraceEvent[]): ChainProgress {
  let { tip, brokenAt } = start;
  for (const event of events) {
    if (brokenAt !== null) break;
    if (follows(event, tip)) tip = { sequence: event.sequence, sha256: event.event_sha256 };
    else brokenAt = tip.sequence + 1;
  }
  return { tip, brokenAt };
}

function follows(event: TraceEvent, tip: ChainTip): boolean {
  return (
    event.sequence === tip.sequence + 1 &&
    event.previous_sha256 === tip.sha256 &&
    event.event_sha256 === eventDigest(event)
  );
}
