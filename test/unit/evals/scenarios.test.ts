import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { filterScenarios, loadScenarios, ownScenarios } from '../../../src/evals/load-scenarios.js';
import { evalNames, isPending, scenarioSchema, type Scenario } from '../../../src/evals/scenario.js';

let scenarios: Scenario[];
let folder: string;

beforeAll(async () => {
  scenarios = await loadScenarios();
  folder = await mkdtemp(join(tmpdir(), 'continuity-gate-scenarios-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const required = Object.keys(evalNames).filter((name) => name !== 'public_incidents');

describe.each(required)('the eval %s', (name) => {
  const ofEval = () => scenarios.filter((scenario) => scenario.eval === name);

  it('has several scenarios, and all of them can be run', () => {
    expect(ofEval().length).toBeGreaterThanOrEqual(5);
    expect(ofEval().filter(isPending)).toEqual([]);
  });

  it('has one that a weak gate would pass by luck but for it, and one that an over-strict gate fails', () => {
    const catches = ofEval().map((scenario) => ('catches' in scenario ? scenario.catches : undefined));
    expect(catches).toContain('lucky_gate');
    expect(catches).toContain('over_strict_gate');
  });

  it('has a scenario that ends in a go', () => {
    const wanted = ofEval().map((scenario) => ('wanted' in scenario ? scenario.wanted.status : undefined));
    expect(wanted).toContain('reauthorization_required');
  });
});

describe('the incidents', () => {
  const incidents = () => scenarios.filter((scenario) => scenario.eval === 'public_incidents');

  it('are all 64, each once and with where it was told', () => {
    const ids = incidents().map(({ source }) => source?.id ?? '');
    expect(new Set(ids).size).toBe(64);
    expect(ids.every((id) => /^CG-\d{3}$/.test(id))).toBe(true);
    expect(incidents().every(({ source }) => source?.url.startsWith('https://'))).toBe(true);
  });

  it('are pending only with a reason', () => {
    const pending = incidents().filter(isPending);
    expect(pending.map(({ source }) => source?.id)).toEqual(['CG-034', 'CG-086', 'CG-089', 'CG-091']);
  });
});

describe('a scenario', () => {
  it('lies in the folder of its eval', () => {
    expect(scenarios.filter((scenario) => !scenario.name.startsWith(`${scenario.eval}/`))).toEqual([]);
  });

  it('is described by the JSON schema that comes with it', async () => {
    const text = await readFile(
      new URL('../../../src/evals/scenarios/scenario.schema.json', import.meta.url),
      'utf8',
    );
    expect(JSON.parse(text)).toEqual(JSON.parse(scenarioSchema()));
  });

  it.each([
    ['title: [', /broken is no YAML/],
    ['title: A\neval: approval_not_reusable\nwhy: B\n', /broken is no scenario: \/wanted/],
    ['title: A\neval: no_such_eval\nwhy: B\npending: C\n', /broken is no scenario: \/eval/],
    ['title: A\neval: approval_not_reusable\nwhy: B\npending: C\nmore: D\n', /broken is no scenario: \/more/],
  ])('that is malformed is named with its fault', async (text, message) => {
    await writeFile(join(folder, 'broken.yaml'), text);
    await expect(loadScenarios(folder)).rejects.toThrow(message);
  });

  it('is found by a part of its name, title, eval or incident', () => {
    const found = (...texts: string[]) => filterScenarios(scenarios, texts).map(({ name }) => name);
    expect(found('cg-049')).toEqual(['public_incidents/cg-049-restart-narrows-the-profile']);
    const ofOneEval = scenarios.filter((scenario) => scenario.eval === 'approval_not_reusable');
    expect(found('approval_not_reusable', 'CG-049')).toHaveLength(ofOneEval.length + 1);
    expect(found('nothing of the kind')).toEqual([]);
    expect(found()).toHaveLength(scenarios.length);
  });

  it('comes with the package', async () => {
    const manifest: unknown = JSON.parse(
      await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
    );
    expect(manifest).toMatchObject({ files: expect.arrayContaining(['src/evals/scenarios']) as unknown });
    expect(ownScenarios).toBe(fileURLToPath(new URL('../../../src/evals/scenarios/', import.meta.url)));
  });
});
