import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { decide } from '../../../src/domain/decide.js';
import type { DecisionFacts } from '../../../src/domain/facts.js';
import type { FullHistory } from '../../../src/evals/full-history-path.js';
import { httpGate, type Gate } from '../../../src/evals/http-gate.js';
import { loadScenarios } from '../../../src/evals/load-scenarios.js';
import { htmlReport } from '../../../src/evals/report/html-report.js';
import { runEvals, type Result } from '../../../src/evals/run-evals.js';
import { evalNames, type EvalName, type Scenario } from '../../../src/evals/scenario.js';
import { byEval, faultsOf, tallyOf } from '../../../src/evals/tally.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { alteredAnswers } from './altered-answers.js';
import { whileNoting, whileWeakened } from './rules-in-force.js';
import { weakenedGates, type WeakenedGate } from './weakened-gates.js';

vi.mock(import('../../../src/domain/decide.js'), async (original) => {
  const { deciding } = await import('./rules-in-force.js');
  return deciding(await original());
});

const reports = new URL('../../../reports/evals/', import.meta.url);

/** By the tenant of the facts: every scenario has tenants of its own. */
const factsOf = new Map<string, DecisionFacts[]>();
const fullHistories = new Map<string, FullHistory>();
/** What the sound rules decide. */
const soundDecisions = new Map<DecisionFacts, string>();
const caught = new Map<WeakenedGate, readonly Result[]>();
let app: TestApp;
let gate: Gate;
let scenarios: Scenario[];
let results: Result[];

beforeAll(async () => {
  scenarios = await loadScenarios();
  app = await createTestApp();
  gate = httpGate(await app.app.listen({ host: '127.0.0.1', port: 0 }));
  results = await whileNoting(noteFacts, () => runEvals({ gate, scenarios, fullHistories }));
  for (const facts of [...factsOf.values()].flat()) soundDecisions.set(facts, JSON.stringify(decide(facts)));
}, 300_000);

afterAll(async () => {
  await writeReports();
  await app.close();
});

describe('this gate', () => {
  it('passes every scenario', () => {
    expect(results.flatMap(faultsOf)).toEqual([]);
    expect(tallyOf(results)).toMatchObject({ missed: 0, skipped: 0, pending: 4 });
    expect(results).toHaveLength(scenarios.length);
  });
});

describe('a gate that', () => {
  it.each(weakenedGates)(
    '$name is caught by "$caughtBy"',
    async (weakened) => {
      const all = await whileWeakened(weakened, async () => {
        const affected = scenarios.filter(isAffected);
        const again = await runEvals({ gate, scenarios: affected, fullHistories });
        return results.map((result) => again.find(({ scenario }) => scenario === result.scenario) ?? result);
      });
      caught.set(weakened, all);
      expect(missesOf(all).map(({ scenario }) => scenario.eval)).toContain(weakened.caughtBy);
    },
    120_000,
  );
});

describe('a gate with sound rules that', () => {
  it.each(alteredAnswers)('$name is caught by "$caughtBy"', async (answers) => {
    const altered: Gate = async (call) => answers.alter(await gate(call), call);
    const asked = scenarios.filter((scenario) => scenario.eval === answers.caughtBy);

    const again = await runEvals({ gate: altered, scenarios: asked, fullHistories });

    expect(missesOf(again).length).toBeGreaterThan(0);
  });
});

it('has the table of weakened gates in the page about the evals', async () => {
  const page = await readFile(new URL('../../../src/evals/README.md', import.meta.url), 'utf8');
  // The formatter aligns the columns of the page.
  const unaligned = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-+/g, '-');
  expect(unaligned(page)).toContain(unaligned(weakenedTable()));
});

/** Keeps the facts of a decision, so that it can be made again by other rules. */
function noteFacts(facts: DecisionFacts): void {
  if (facts.kind === 'refused') return;
  const { tenant_id } = facts.envelope;
  factsOf.set(tenant_id, [...(factsOf.get(tenant_id) ?? []), structuredClone(facts)]);
}

/**
 * Whether the rules in force decide anything in the scenario otherwise than the sound ones did. Where they don't, the
 * scenario would run as it ran: a gate depends on its rules through these decisions alone.
 */
function isAffected(scenario: Scenario): boolean {
  const result = results.find((candidate) => candidate.scenario === scenario);
  if (!result || !('outcome' in result)) return false;
  const facts = factsOf.get(result.outcome.ids.tenants.home) ?? [];
  return facts.some((fact) => JSON.stringify(decide(fact)) !== soundDecisions.get(fact));
}

function missesOf(all: readonly Result[]): Result[] {
  return all.filter(({ kind }) => kind === 'missed');
}

/** The reports on this gate and on each weakened one, and the table of gate and eval, for whoever wants to look. */
async function writeReports(): Promise<void> {
  await mkdir(fileURLToPath(reports), { recursive: true });
  const write = (name: string, text: string) => writeFile(new URL(name, reports), text);
  await write('gate.html', htmlReport(results, 'this gate'));
  for (const [{ name }, all] of caught) {
    await write(`${name.replaceAll(/\W+/g, '-')}.html`, htmlReport(all, `a gate that ${name}`));
  }
  await write('weakened-gates.md', weakenedTable());
}

function weakenedTable(): string {
  const evals = Object.keys(evalNames) as EvalName[];
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`;
  const rows = [...caught].map(([{ name }, all]) => {
    const groups = new Map(byEval(all).map((group) => [group.name, tallyOf(group.results).missed]));
    return row([name, ...evals.map((name) => shownCount(groups.get(name) ?? 0))]);
  });
  return `${row(['A gate that …', ...evals])}${row(['---', ...evals.map(() => '--:')])}${rows.join('')}`;
}

function shownCount(count: number): string {
  return count === 0 ? '' : String(count);
}
