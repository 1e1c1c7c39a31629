import type { Result } from '../run-evals.js';
import { byEval, faultsOf, tallyOf } from '../tally.js';

/** Everything that was seen, for programs. */
export function jsonReport(results: readonly Result[]): string {
  const report = {
    tally: tallyOf(results),
    evals: byEval(results).map((group) => ({
      name: group.name,
      title: group.title,
      tally: tallyOf(group.results),
      scenarios: group.results.map(entryOf),
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

function entryOf(result: Result) {
  const { kind, scenario } = result;
  const { name, title, why, source } = scenario;
  const described = { name, title, why, ...(source && { source }), result: kind };
  if ('reason' in result) return { ...described, reason: result.reason };
  const { compacted, full, ids } = result.outcome;
  return {
    ...described,
    faults: faultsOf(result),
    /** What every id of the run begins with, so that its trace can be found at the gate. */
    ids: { prefix: ids.prefix, tenants: ids.tenants },
    compacted: { at: compacted.at, timeline: compacted.timeline },
    full_history: { verdict: full.verdict, because: full.because, timeline: full.timeline },
  };
}
