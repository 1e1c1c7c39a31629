import { decide, type Decision } from './decide.js';
import { canonicalJson } from './digest.js';
import type { DecisionFacts } from './facts.js';
import { rulesVersion } from './rules.js';

/** What today's rules make of a past decision's facts. */
export interface Replay extends Pick<Decision, 'status' | 'reason'> {
  /** Whether they decide and find the same. */
  readonly same: boolean;
  readonly rules_version: string;
}

/** Decides the facts of a past decision again. */
export function replay({ decision, facts }: { decision: Decision; facts: DecisionFacts }): Replay {
  const { status, reason, findings } = decide(facts);
  const same = status === decision.status && canonicalJson(findings) === canonicalJson(decision.findings);
  return { status, reason, same, rules_version: rulesVersion };
}
