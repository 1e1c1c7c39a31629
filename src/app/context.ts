import type { ContinuityEnvelope } from '../domain/envelope.js';
import type { ComparedFacts } from '../domain/facts.js';
import type { LoggedEvent } from '../domain/session-event.js';
import { readActiveConstraints, type ConstraintText } from '../store/constraint-texts.js';
import type { Transaction } from '../store/database.js';
import type { FoundEnvelope } from '../store/envelopes.js';
import { readSessionEventsAfter } from '../store/session-events.js';
import type { SessionHead } from '../store/session-heads.js';

/** What a run's context is rebuilt from after a go: the envelope, the state that it was compared with, and the texts. */
export interface ResumedContext {
  readonly envelope: ContinuityEnvelope;
  readonly facts: ComparedFacts;
  readonly constraints: readonly ConstraintText[];
  /** The first events behind the range that the summary covers, and how many there are. */
  readonly uncovered_events: readonly LoggedEvent[];
  readonly uncovered_total: number;
}

/** How many uncovered events are told; the rest is in the session's own log. */
const uncoveredShown = 100;

/** Reads what a context view needs beyond the facts. Sent behind the lock, it tells what the decision was made from. */
export async function readContext(
  transaction: Transaction,
  { envelope, last_sequence }: FoundEnvelope,
  facts: ComparedFacts,
  head: SessionHead,
): Promise<ResumedContext> {
  const [constraints, uncovered_events] = await Promise.all([
    readActiveConstraints(transaction, envelope),
    last_sequence === null
      ? []
      : readSessionEventsAfter(transaction, envelope, { after: last_sequence, limit: uncoveredShown }),
  ]);
  const uncovered_total = last_sequence === null ? 0 : head.events.sequence - last_sequence;
  return { envelope, facts, constraints, uncovered_events, uncovered_total };
}
