import type { ComparedFacts, ControlStateFacts, SealingFacts } from './facts.js';

/** Whether the resuming run works from another span of the log than the one that was sealed. */
export function presentedRangeDiffers({ envelope, presented }: ComparedFacts): boolean {
  const range = presented.source_event_range;
  const sealed = envelope.source_event_range;
  return range !== null && (range.first !== sealed?.first || range.last !== sealed.last);
}

/** Whether the log no longer holds the sealed span as it was at sealing. */
export function sealedRangeIsBroken({ envelope, current: { lineage } }: ComparedFacts): boolean {
  return (
    lineage !== undefined &&
    (!isInLog(lineage) ||
      lineage.lineage_sha256 === null ||
      lineage.lineage_sha256 !== envelope.lineage_sha256)
  );
}

/**
 * Whether the span to be sealed leaves the log, or leaves something of it uncovered: a session's spans cover its log
 * from the first event on, without a gap and without going back.
 */
export function sealedRangeLeavesAGap({ current, previous }: SealingFacts): boolean {
  const lineage = current?.lineage;
  if (lineage === undefined) return false;
  if (!isInLog(lineage)) return true;
  const previousLast = previous?.last_sequence ?? 0;
  return lineage.first_sequence > previousLast + 1 || lineage.last_sequence < previousLast;
}

type Lineage = NonNullable<ControlStateFacts['lineage']>;

function isInLog(lineage: Lineage): lineage is Lineage & { first_sequence: number; last_sequence: number } {
  const { first_sequence, last_sequence } = lineage;
  return first_sequence !== null && last_sequence !== null && first_sequence <= last_sequence;
}
