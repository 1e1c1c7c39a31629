import { checkNames } from '../checks.js';
import type { Result } from '../run-evals.js';
import { byEval, faultsOf, tallyOf, type Tally } from '../tally.js';

/** JUnit's XML, which most CI systems show: an eval is a suite, a scenario a case, what was not run is skipped. */
export function junitReport(results: readonly Result[]): string {
  const suites = byEval(results).map(
    (group) =>
      `  <testsuite name="${escaped(group.title)}" ${counts(tallyOf(group.results))}>\n` +
      `${group.results.map(caseOf).join('')}  </testsuite>\n`,
  );
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<testsuites name="continuity-gate evals" ${counts(tallyOf(results))}>\n${suites.join('')}</testsuites>\n`
  );
}

function caseOf(result: Result): string {
  const { scenario } = result;
  const open = `    <testcase classname="${escaped(scenario.eval)}" name="${escaped(scenario.name)}: ${escaped(scenario.title)}"`;
  const inner = innerOf(result);
  return inner === '' ? `${open}/>\n` : `${open}>\n${inner}    </testcase>\n`;
}

function innerOf(result: Result): string {
  if ('reason' in result) {
    return `      <skipped message="${escaped(`${result.kind}: ${result.reason}`)}"/>\n`;
  }
  const faults = faultsOf(result).map(({ name, fault }) => `${checkNames[name]}: ${fault}`);
  const [first] = faults;
  if (first === undefined) return '';
  return `      <failure message="${escaped(first)}">${escaped(faults.join('\n'))}</failure>\n`;
}

function counts({ passed, missed, pending, skipped }: Tally): string {
  return `tests="${passed + missed + pending + skipped}" failures="${missed}" errors="0" skipped="${pending + skipped}"`;
}

/** Control characters have no form in XML at all. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}
