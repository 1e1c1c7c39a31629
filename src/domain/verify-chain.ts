import { eventDigest, type ChainTip, type TraceEvent } from './trace-event.js';

/** How far a chain was followed, and where it broke. */
export interface ChainProgress {
  readonly tip: ChainTip;
  /** Sequence of the first event that is missing, changed or out of place; null while the chain holds. */
  readonly brokenAt: number | null;
}

/** What is known of a chain beside its events, all of it at one moment. */
export interface ChainBounds {
  /** The tip that its head records. */
  readonly recorded: ChainTip;
  /** Where it begins: at its very start, or behind what retention has dropped. */
  readonly anchor: ChainTip;
  /** Sequence of the last event that is stored; null if there is none. */
  readonly last_sequence: number | null;
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

/** Ends the verification of a chain that was followed as far as its head goes: the head and the events end together. */
export function endChain(
  followed: ChainProgress,
  { recorded, anchor, last_sequence }: ChainBounds,
): ChainProgress {
  if (followed.brokenAt !== null) return followed;
  const { tip } = followed;
  // A head that was set back: events stand behind it, or stood there until retention dropped them.
  if (Math.max(anchor.sequence, last_sequence ?? 0) > recorded.sequence)
    return { tip, brokenAt: recorded.sequence + 1 };
  // A chain that ends before its head has lost its end.
  if (tip.sequence < recorded.sequence) return { tip, brokenAt: tip.sequence + 1 };
  return { tip, brokenAt: tip.sha256 === recorded.sha256 ? null : tip.sequence };
}

function follows(event: TraceEvent, tip: ChainTip): boolean {
  return (
    event.sequence === tip.sequence + 1 &&
    event.previous_sha256 === tip.sha256 &&
    event.event_sha256 === eventDigest(event)
  );
}
