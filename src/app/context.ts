import { uncoveredShown, type ResumedContext } from '../domain/context-view.js';
import type { ComparedFacts } from '../domain/facts.js';
import { readActiveConstraints } from '../store/constraint-texts.js';
import type { Transaction } from '../store/database.js';
import type { FoundEnvelope } from '../store/envelopes.js';
import { readSessionEventsAfter } from '../store/session-events.js';
import type { SessionHead } from '../store/session-heads.js';

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
