import type { Check } from './checks.js';
import type { Result } from './run-evals.js';
import { evalNames, type EvalName } from './scenario.js';

export interface Tally {
  readonly passed: number;
  readonly missed: number;
  readonly pending: number;
  readonly skipped: number;
}

export function tallyOf(results: readonly Result[]): Tally {
  const count = (kind: Result['kind']) => results.filter((result) => result.kind === kind).length;
  return {
    passed: count('passed'),
    missed: count('missed'),
    pending: count('pending'),
    skipped: count('skipped'),
  };
}

/** The results by eval, in the evals' order; only evals that were run at all. */
export function byEval(results: readonly Result[]): { name: EvalName; title: string; results: Result[] }[] {
  return (Object.keys(evalNames) as EvalName[])
    .map((name) => ({
      name,
      title: evalNames[name],
      results: results.filter(({ scenario }) => scenario.eval === name),
    }))
    .filter((group) => group.results.length > 0);
}

/** What was found wrong; nothing of what was not run. */
export function faultsOf(result: Result): (Check & { fault: string })[] {
  if (result.kind !== 'missed') return [];
  return result.checks.flatMap(({ name, fault }) => (fault === undefined ? [] : [{ name, fault }]));
}
