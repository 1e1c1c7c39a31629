import { actionsOf, listsActions, type ActionFacts } from './actions.js';
import type { DecisionFacts } from './facts.js';
import type { DecisionReason, RefusalReason } from './reasons.js';
import { rules, type FindingReason, type Rule } from './rules.js';
import type { DecisionStatus } from './vocabulary.js';

/** One rule that failed, or why the rules could not be asked. */
export interface Finding {
  readonly reason: FindingReason | RefusalReason;
  /** The action that it is about, where it is about one and the answer lists them. */
  readonly idempotency_key?: string;
}

/**
 * What the gate answers. The types leave no room for an authorization: `authorized` can't be anything but false, and a
 * run that may continue still has to ask for its next capability call.
 */
export interface Decision {
  readonly status: DecisionStatus;
  /** The first finding's reason, or `continuity_validated`. */
  readonly reason: DecisionReason;
  /** Every rule that failed, in the table's order: of the session, then of each action in its place. */
  readonly findings: Finding[];
  readonly authorized: false;
  readonly requires_reauthorization: true;
}

/**
 * Decides whether a run may rebuild its context, or an envelope be sealed. Pure: the same facts and rules always give
 * the same decision.
 */
export function decide(facts: DecisionFacts, table: readonly Rule[] = rules): Decision {
  const found: Found[] = facts.kind === 'refused' ? [{ reason: facts.refusal }] : failedRules(facts, table);
  const [first] = found;
  return {
    status: first ? stopStatusOf(first) : 'reauthorization_required',
    reason: first?.reason ?? 'continuity_validated',
    findings: found.map(({ status: _, ...finding }) => finding),
    authorized: false,
    requires_reauthorization: true,
  };
}

type Found = Finding & Pick<Rule, 'status'>;

/** What a reason decides as the first finding. */
export function stopStatusOf({ status }: Found) {
  return status ?? 'continuity_validation_failed';
}

function failedRules(facts: RuledFacts, table: readonly Rule[]): Found[] {
  const actions = actionsOf(facts);
  const namesActions = listsActions(facts.envelope);
  return table.flatMap((rule) => {
    const found = { reason: rule.reason, ...(rule.status && { status: rule.status }) };
    const ofSession = fails(rule, facts);
    const failed = actions.filter((action) => failsFor(action, rule, facts));
    if (!namesActions) return ofSession || failed.length > 0 ? [found] : [];
    return [
      ...(ofSession ? [found] : []),
      ...failed.map(({ frozen: { idempotency_key } }) => ({ ...found, idempotency_key })),
    ];
  });
}

type RuledFacts = Exclude<DecisionFacts, { kind: 'refused' }>;

function fails({ sealing, rehydration }: Rule, facts: RuledFacts): boolean {
  switch (facts.kind) {
    case 'sealing':
      return sealing?.(facts) ?? false;
    case 'compared':
      return rehydration?.(facts) ?? false;
  }
}

function failsFor(action: ActionFacts, { perAction }: Rule, facts: RuledFacts): boolean {
  switch (facts.kind) {
    case 'sealing':
      return perAction?.sealing?.(action, facts) ?? false;
    case 'compared':
      return perAction?.rehydration?.(action, facts) ?? false;
  }
}
