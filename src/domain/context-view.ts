import { constraintsOf, obligationsNow } from './carry-over.js';
import type { KnownEnvelope } from './envelope/versions.js';
import type { ComparedFacts } from './facts.js';
import type { LoggedEvent } from './session-event.js';

/** What a run's context is rebuilt from after a go: the envelope, the state that it was compared with, and the texts. */
export interface ResumedContext {
  readonly envelope: KnownEnvelope;
  readonly facts: ComparedFacts;
  readonly constraints: readonly ConstraintText[];
  /** The first 100 events behind the range that the summary covers, and how many there are. */
  readonly uncovered_events: readonly Pick<LoggedEvent, 'event_id' | 'event_type' | 'sequence'>[];
  readonly uncovered_total: number;
}

/** What a constraint says: sensitive, and told only in a context view and to who may read records. */
export interface ConstraintText {
  readonly ref: string;
  readonly text: string;
  readonly forbids_capability: string | null;
}

/** What a model's context may be rebuilt from. Stricter than at sealing is allowed, silently laxer is not. */
export function contextView(resumed: ResumedContext) {
  const { envelope, facts, uncovered_events, uncovered_total } = resumed;
  const { pending, discharged } = obligationsNow(facts.envelope, facts.current);
  return {
    objective: envelope.objective,
    constraints: constraintsInView(resumed),
    pending_obligations: pending,
    discharged_obligations: discharged,
    checkpoint_ref: envelope.checkpoint_ref,
    sandbox_snapshot_ref: envelope.sandbox_snapshot_ref ?? null,
    budget_remaining: facts.current.session?.budget_remaining ?? envelope.budget_remaining ?? null,
    source_event_range: envelope.source_event_range,
    uncovered_events,
    uncovered_total,
    summary: { trust: 'untrusted' as const, sha256: envelope.summary_sha256 },
  };
}

/** The sealed constraints and those that have joined since; not those that were withdrawn. */
function constraintsInView({ envelope, facts: { current }, constraints }: ResumedContext) {
  const withdrawn = new Set(constraintsOf(current, 'withdrawn'));
  const texts = new Map(constraints.map((constraint) => [constraint.ref, constraint]));
  const refs = new Set([...envelope.exact_constraint_refs, ...constraintsOf(current, 'active')]);
  return [...refs]
    .filter((ref) => !withdrawn.has(ref))
    .map((ref) => texts.get(ref) ?? { ref, text: null, forbids_capability: null });
}
