// Counts the tests of a vitest JSON report: node count-tests.js <report> <exit status of the run>
// Prints "<passed> <failed> <skipped>".
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';

const [report, exitStatus] = process.argv.slice(2);
const files = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : [];
const tests = files.flatMap(({ assertionResults }) => assertionResults);

const passed = tests.filter(({ status }) => status === 'passed').length;
const failedTests = tests.filter(({ status }) => status === 'failed').length;
// A file may fail outside its tests: it can't be loaded, or a hook breaks.
const brokenFiles = files.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
).length;
const failed = failedTests + brokenFiles;
// And a run may fail outside its files: the build breaks, or an error reaches nobody.
const brokenRun = exitStatus !== '0' && failed === 0 ? 1 : 0;

process.stdout.write(`${passed} ${failed + brokenRun} ${tests.length - passed - failedTests}\n`);
