import { randomBytes } from 'node:crypto';

import { checksOf, type Check, type Outcome } from './checks.js';
import { runCompacted } from './compacted-path.js';
import { runFullHistory, type FullHistory } from './full-history-path.js';
import type { Gate } from './http-gate.js';
import { RunIds } from './run-ids.js';
import { isPending, type RunnableScenario, type Scenario } from './scenario.js';
import { unfold, type Script } from './script.js';

/** What has become of one scenario. */
export type Result = { readonly scenario: Scenario } & (
  | { readonly kind: 'passed' | 'missed'; readonly checks: readonly Check[]; readonly outcome: Outcome }
  /** The product can't express it. */
  | { readonly kind: 'pending'; readonly reason: string }
  /** This run can't: it needs a second tenant. */
  | { readonly kind: 'skipped'; readonly reason: string }
);

export interface EvalOptions {
  readonly gate: Gate;
  readonly scenarios: readonly Scenario[];
  /**
   * The tenants to stay in, where tokens are limited to some: the first for all sessions, a second one for whatever is
   * asked from elsewhere. Without any, each path of each scenario has tenants of its own.
   */
  readonly tenants?: readonly string[];
  /** How many scenarios are run at once; one at a time where they share a tenant, whose policy they all write. */
  readonly concurrency?: number;
  /** Told of each result as it comes. */
  readonly onResult?: (result: Result) => void;
  /** Decisions of the oracle that are known already, by the scenario's name: they do not depend on the gate's rules. */
  readonly fullHistories?: Map<string, FullHistory>;
}

/** Runs scenarios on both paths. The results stand in the order of the scenarios. */
export async function runEvals(options: EvalOptions): Promise<Result[]> {
  const { scenarios, tenants = [], onResult = () => undefined } = options;
  const lanes = tenants.length > 0 ? 1 : (options.concurrency ?? 6);
  const run = `evals-${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
  const results = new Map<Scenario, Result>();
  const queue = slowestFirst(scenarios);
  const work = async () => {
    for (let scenario = queue.shift(); scenario; scenario = queue.shift()) {
      const result = await runScenario(scenario, `${run}-${scenarios.indexOf(scenario) + 1}`, options);
      results.set(scenario, result);
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return scenarios.flatMap((scenario) => results.get(scenario) ?? []);
}

/** What has to wait for time to pass starts at once. */
function slowestFirst(scenarios: readonly Scenario[]): Scenario[] {
  const waits = (scenario: Scenario) =>
    !isPending(scenario) && (scenario.afterwards ?? []).some((step) => 'wait_until' in step);
  return [...scenarios].sort((one, other) => Number(waits(other)) - Number(waits(one)));
}

async function runScenario(scenario: Scenario, run: string, options: EvalOptions): Promise<Result> {
  if (isPending(scenario)) return { kind: 'pending', scenario, reason: scenario.pending };
  const { gate, tenants = [], fullHistories } = options;
  if (tenants.length === 1 && needsAnotherTenant(scenario)) {
    return { kind: 'skipped', scenario, reason: 'It needs a second tenant: give --tenant twice' };
  }
  const script = unfold(scenario);
  const ids = idsOf(`${run}c`, tenants);
  const runBoth = tenants.length > 0 ? oneAfterTheOther : atOnce;
  const [compacted, full] = await runBoth(
    () => runCompacted(gate, ids, scenario, script),
    () => fullHistoryOf(scenario, script, idsOf(`${run}f`, tenants), gate, fullHistories),
  );
  const outcome: Outcome = { scenario, sheet: script.sheet, ids, compacted, full };
  const checks = checksOf(outcome);
  const kind = checks.some(({ fault }) => fault !== undefined) ? 'missed' : 'passed';
  return { kind, scenario, checks, outcome };
}

async function fullHistoryOf(
  scenario: RunnableScenario & { readonly name: string },
  script: Script,
  ids: RunIds,
  gate: Gate,
  known: Map<string, FullHistory> | undefined,
): Promise<FullHistory> {
  const full = known?.get(scenario.name) ?? (await runFullHistory(gate, ids, scenario, script));
  known?.set(scenario.name, full);
  return full;
}

function idsOf(prefix: string, [home, other]: readonly string[]): RunIds {
  return new RunIds(prefix, { home: home ?? `${prefix}-home`, other: other ?? `${prefix}-other` });
}

function needsAnotherTenant({ history = [], afterwards = [], presented = {} }: RunnableScenario): boolean {
  const asksElsewhere = presented['tenant_id'] === 'other';
  return (
    asksElsewhere || [...history, ...afterwards].some((step) => JSON.stringify(step).includes('"other"'))
  );
}

/** Both paths of a scenario write the same tenant's policy: with one tenant they take turns. */
async function oneAfterTheOther<A, B>(one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
  return [await one(), await other()];
}

async function atOnce<A, B>(one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
  return Promise.all([one(), other()]);
}
