import { checkNames } from '../checks.js';
import type { Result } from '../run-evals.js';
import { byEval, faultsOf, tallyOf, type Tally } from '../tally.js';

/** The table at the end, with every miss and every scenario that was not run, each with its reason. */
export function tableReport(results: readonly Result[]): string {
  const groups = byEval(results);
  const width = Math.max(...groups.map(({ title }) => title.length), 5);
  const line = (title: string, cells: readonly string[]) =>
    `${title.padEnd(width)}  ${cells.map((cell) => cell.padStart(8)).join('')}`;
  const row = (title: string, { passed, missed, pending, skipped }: Tally) =>
    line(title, [passed, missed, pending, skipped].map(String));
  return [
    line('', ['passed', 'missed', 'pending', 'skipped']),
    ...groups.map((group) => row(group.title, tallyOf(group.results))),
    '-'.repeat(width + 34),
    row('Total', tallyOf(results)),
    ...notRun(results),
    ...misses(results),
    '',
  ].join('\n');
}

function notRun(results: readonly Result[]): string[] {
  const lines = results.flatMap((result) =>
    'reason' in result ? [`  ${result.kind}  ${result.scenario.name}: ${result.reason}`] : [],
  );
  return lines.length > 0 ? ['', 'Not run:', ...lines] : [];
}

function misses(results: readonly Result[]): string[] {
  return results.flatMap((result) => {
    const faults = faultsOf(result);
    if (faults.length === 0) return [];
    return [
      '',
      `MISSED  ${result.scenario.name}`,
      `  ${result.scenario.title}`,
      ...faults.map(({ name, fault }) => `  ${checkNames[name]}: ${fault}`),
    ];
  });
}
