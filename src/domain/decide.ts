import type { DecisionFacts } from './facts.js';
import { rules } from './rules.js';
import {
  findingReasons,
  type DecisionReason,
  type DecisionStatus,
  type FindingReason,
  type RefusalReason,
} from './vocabulary.js';

/** One rule that failed, or why the rules could not be asked. */
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
  readonly findings: Finding[];
  readonly authorized: false;
  readonly requires_reauthorization: true;
}

/**
 * Decides whether a run may rebuild its context, or an envelope be sealed. Pure: the same facts always give the same
 * decision.
 */
export function decide(facts: DecisionFacts): Decision {
  const found = findingsOf(facts);
  const [first] = found;
  return {
    status: statusOf(first),
    reason: first ?? 'continuity_validated',
    findings: found.map((reason) => ({ reason })),
    authorized: false,
    requires_reauthorization: true,
  };
}

function findingsOf(facts: DecisionFacts): Finding['reason'][] {
  switch (facts.kind) {
    case 'refused':
      return [facts.refusal];
    case 'sealing':
      return findingReasons.filter((reason) => rules[reason].sealing?.(facts));
    case 'compared':
      return findingReasons.filter((reason) => rules[reason].rehydration?.(facts));
  }
}

function statusOf(first: Finding['reason'] | undefined): DecisionStatus {
  if (first === undefined) return 'reauthorization_required';
  if (first === 'unknown_side_effect') return 'blocked_on_reconciliation';
  return 'continuity_validation_failed';
}
