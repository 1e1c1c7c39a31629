import { writeFile } from 'node:fs/promises';

import { InvalidArgumentError, Option, type Command } from 'commander';

import type { Gate } from '../evals/http-gate.js';
import type { Result } from '../evals/run-evals.js';

const reports = ['json', 'junit', 'html'] as const;

interface EvalsOptions {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly tenant: readonly string[];
  readonly filter: readonly string[];
  readonly scenarios?: string;
  readonly concurrency: number;
  readonly report?: (typeof reports)[number];
  readonly output?: string;
  readonly printSchema?: boolean;
}

/** `continuity-gate evals`: the required evals, against any gate. */
export function addEvals(program: Command): void {
  program
    .command('evals')
    .summary('run the required evals against a gate')
    .description(
      `Runs every scenario twice, over a compacted history and over the full one, and holds the gate to both: it must decide as the contract says, as strictly as with the full history or stricter, and leave a trace that links before and after.

Without --url it starts a gate of its own, with a store that is gone afterwards. With --url it writes records, events and envelopes under ids of its own, and the policy record of the tenants that it uses: give it tenants where nothing else lives.`,
    )
    .option('--url <url>', 'the gate to test')
    .option(
      '--token-file <file>',
      'bearer tokens: one with every scope, or a JSON object from scope to token\n("default" serves the others)',
    )
    .option(
      '--tenant <id>',
      'stay in this tenant; twice: the second is where strangers ask from\n(default: tenants of its own, which only an open gate allows)',
      collect,
      [],
    )
    .option(
      '--filter <text>',
      'only scenarios with this in their name, title or eval; repeatable',
      collect,
      [],
    )
    .option('--scenarios <folder>', 'other scenarios than those that come with the gate')
    .option('--concurrency <n>', 'scenarios at once, unless they share a tenant', positive, 6)
    .addOption(new Option('--report <kind>', 'write a report instead of the table').choices(reports))
    .option('--output <file>', 'write the report to this file and the table to stdout')
    .option('--print-schema', 'print the JSON schema of a scenario, and do nothing else')
    .addHelpText(
      'after',
      '\nExit status: 0 when every scenario that was run passed; 1 when one missed, or the gate could not be asked.',
    )
    .action(async (options: EvalsOptions, command: Command) => {
      await run(options, command);
    });
}

async function run(options: EvalsOptions, command: Command): Promise<void> {
  // Only here: no other command needs them.
  const { filterScenarios, loadScenarios, ScenarioError } = await import('../evals/load-scenarios.js');
  const { GateUnreachableError } = await import('../evals/http-gate.js');
  const { runEvals } = await import('../evals/run-evals.js');
  const { scenarioSchema } = await import('../evals/scenario.js');
  if (options.printSchema === true) {
    process.stdout.write(scenarioSchema());
    return;
  }
  try {
    const scenarios = filterScenarios(await loadScenarios(options.scenarios), options.filter);
    if (scenarios.length === 0) return fail(command, 'No scenario has that in its name, title or eval.');
    const { tenant: tenants, concurrency } = options;
    const results = await withGate(options, (gate) =>
      runEvals({ gate, scenarios, tenants, concurrency, onResult: progress(scenarios.length) }),
    );
    await report(results, options);
    if (results.some(({ kind }) => kind === 'missed')) process.exitCode = 1;
  } catch (error) {
    const isKnown = error instanceof ScenarioError || error instanceof GateUnreachableError;
    if (isKnown || isAboutFiles(error)) fail(command, error.message);
    throw error;
  }
}

async function withGate<T>(options: EvalsOptions, use: (gate: Gate) => Promise<T>): Promise<T> {
  const { httpGate, readTokens } = await import('../evals/http-gate.js');
  if (options.url !== undefined) {
    const tokens = options.tokenFile === undefined ? undefined : await readTokens(options.tokenFile);
    return use(httpGate(options.url, tokens));
  }
  const { startEmbeddedGate } = await import('../evals/embedded-gate.js');
  process.stderr.write('Starting a gate of its own …\n');
  const gate = await startEmbeddedGate();
  const interrupted = () => {
    void gate.stop().finally(() => process.exit(130));
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    return await use(httpGate(gate.url));
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    await gate.stop();
  }
}

/** One line that is written over, where somebody may be watching; else only the misses. */
function progress(total: number): (result: Result) => void {
  let done = 0;
  return ({ kind, scenario }) => {
    done += 1;
    if (!process.stderr.isTTY) {
      if (kind === 'missed') process.stderr.write(`missed ${scenario.name}\n`);
      return;
    }
    const line = `[${done}/${total}] ${kind} ${scenario.name}`;
    process.stderr.write(`\r\u001b[2K${line.slice(0, process.stderr.columns - 1)}`);
    if (kind === 'missed' || done === total) process.stderr.write('\n');
  };
}

async function report(results: readonly Result[], { report: kind, output }: EvalsOptions): Promise<void> {
  const { tableReport } = await import('../evals/report/table-report.js');
  const text = kind && (await makers[kind](results));
  if (text !== undefined && output !== undefined) await writeFile(output, text);
  process.stdout.write(text === undefined || output !== undefined ? tableReport(results) : text);
}

const makers: Record<(typeof reports)[number], (results: readonly Result[]) => Promise<string>> = {
  json: async (results) => (await import('../evals/report/json-report.js')).jsonReport(results),
  junit: async (results) => (await import('../evals/report/junit-report.js')).junitReport(results),
  html: async (results) => (await import('../evals/report/html-report.js')).htmlReport(results),
};

/** A folder or a file that was named is not there, or can't be read or written. */
function isAboutFiles(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

function positive(value: string): number {
  if (/^[1-9]\d?$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a number from 1 to 99.');
}

function fail(command: Command, message: string): never {
  return command.error(message, { exitCode: 1, code: 'evals_failed' });
}
