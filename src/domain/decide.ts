import type { ComparedFacts, RehydrationFacts, SealingFacts } from './facts.js';
import { rules } from './rules.js';
import {
  findingReasons,
  type DecisionReason,
  type DecisionStatus,
  type FindingReason,
  type RefusalReason,
} from './vocabulary.js';

/** One rule that failed. */
export interface Finding {
  readonly reason: FindingReason | RefusalReason;
}

/**
 * What the gate answers. The types leave no room for an authorization: `authorized` can't be anything but false, and a
 * run that may continue still has to ask for its next capability call.
 */
export interface Decision {
  readonly status: DecisionStatus;
  /** The first finding's reason, or `continuity_validated`. */
  readonly reason: DecisionReason;
  /** Every rule that failed, in the table's order. */
  readonly findings: readonly Finding[];
  readonly authorized: false;
  readonly requires_reauthorization: true;
}

/** Decides whether a run may rebuild its context. Pure: the same facts always give the same decision. */
export function decideRehydration(facts: RehydrationFacts): Decision {
  return facts.kind === 'refused' ? decision([facts.refusal]) : decision(findAtRehydration(facts));
}

/** Decides whether an envelope may be sealed. Null: nothing speaks against it. */
export function decideSealing(facts: SealingFacts): Decision | null {
  const found = findingReasons.filter((reason) => rules[reason].sealing?.(facts) ?? false);
  return found.length === 0 ? null : decision(found);
}

function findAtRehydration(facts: ComparedFacts): FindingReason[] {
  return findingReasons.filter((reason) => rules[reason].rehydration?.(facts) ?? false);
}

function decision(found: readonly Finding['reason'][]): Decision {
  const [first] = found;
  return {
    status: statusOf(first),
    reason: first ?? 'continuity_validated',
    findings: found.map((reason) => ({ reason })),
    authorized: false,
    requires_reauthorization: true,
  };
}

function statusOf(first: Finding['reason'] | undefined): DecisionStatus {
  if (first === undefined) return 'reauthorization_required';
  if (first === 'unknown_side_effect') return 'blocked_on_reconciliation';
  return 'continuity_validation_failed';
}
