import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Value } from '@sinclair/typebox/value';
import { parse } from 'yaml';

import { isPending, PendingScenario, RunnableScenario, Scenario } from './scenario.js';

/** The scenarios that come with the gate: the same files for the built program and for its source. */
export const ownScenarios = fileURLToPath(new URL('../../src/evals/scenarios/', import.meta.url));

/** A file that is no scenario, in words for its author. */
export class ScenarioError extends Error {}

/** Reads every scenario below a folder, in the order of their names. Throws `ScenarioError`. */
export async function loadScenarios(folder = ownScenarios): Promise<Scenario[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Promise.all(files.map((file) => readScenario(folder, file)));
}

async function readScenario(folder: string, file: string): Promise<Scenario> {
  const name = relative(folder, file).slice(0, -'.yaml'.length).split(sep).join('/');
  const content = parseYaml(name, await readFile(file, 'utf8'));
  if (!Value.Check(Scenario, content)) throw new ScenarioError(`${name} is no scenario: ${faultIn(content)}`);
  return { ...content, name };
}

function parseYaml(name: string, text: string): unknown {
  try {
    const content: unknown = parse(text);
    return content;
  } catch (error) {
    throw new ScenarioError(`${name} is no YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The first fault by the kind that the file seems to be; of a union, a validator can only say that nothing fits. */
function faultIn(content: unknown): string {
  const schema =
    typeof content === 'object' && content !== null && 'pending' in content
      ? PendingScenario
      : RunnableScenario;
  const fault = Value.Errors(schema, content).First();
  return fault ? `${fault.path || '/'}: ${fault.message}` : 'it fits no kind';
}

/** Those whose name, title, eval or incident holds one of the texts; all of them without a text. */
export function filterScenarios(scenarios: readonly Scenario[], texts: readonly string[]): Scenario[] {
  if (texts.length === 0) return [...scenarios];
  const wanted = texts.map((text) => text.toLowerCase());
  return scenarios.filter((scenario) => {
    const { name, title, source } = scenario;
    const said = [name, title, scenario.eval, source?.id ?? '', isPending(scenario) ? 'pending' : '']
      .join('\n')
      .toLowerCase();
    return wanted.some((text) => said.includes(text));
  });
}
