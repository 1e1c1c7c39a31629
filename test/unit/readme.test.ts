import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { describe, expect, it } from 'vitest';

import { Settings } from '../../src/config.js';
import { isAskedAt, rules, type Rule } from '../../src/domain/rules.js';
import { decisionStatuses, traceEventTypes } from '../../src/domain/vocabulary.js';
import { scopeMeanings } from '../../src/http/auth/scopes.js';
import { generateDocument } from '../../src/http/openapi/generate.js';
import { problems, type ProblemCode } from '../../src/http/problems.js';
import { problemMeanings, statusMeanings } from '../../src/http/schemas/meanings.js';
import { decisionHttpStatus } from '../../src/http/stop-answer.js';
import { anchorsOf, codeBlocks, codeSpans, linkTargets, tableRows } from '../support/markdown.js';
import { stepsOf } from '../support/walk-through.js';

const readme = readFileSync('README.md', 'utf8');
const commands = [...codeBlocks(readme).map(({ text }) => text), ...codeSpans(readme)];

const manifest = Value.Parse(
  Type.Object({
    engines: Type.Object({ node: Type.String() }),
    scripts: Type.Record(Type.String(), Type.String()),
  }),
  JSON.parse(readFileSync('package.json', 'utf8')),
);

describe('the tables of the README', () => {
  it('list every rule in its order, with the phases that ask it', () => {
    const askedAt = (rule: Rule) => {
      if (!isAskedAt('sealing', rule)) return 'resuming';
      return isAskedAt('rehydration', rule) ? 'both' : 'sealing';
    };

    expect(tableRows(readme, '#', 'Reason', 'Asked at', 'What it means')).toEqual(
      rules.map((rule, index) => [String(index + 1), `\`${rule.reason}\``, askedAt(rule), rule.meaning]),
    );
  });

  it('list every decision with its HTTP status', () => {
    expect(tableRows(readme, 'Decision', 'HTTP', 'What it means')).toEqual(
      decisionStatuses.map((status) => [
        `\`${status}\``,
        String(decisionHttpStatus[status]),
        statusMeanings[status],
      ]),
    );
  });

  it('list every error code with its HTTP status', () => {
    const codes = Object.keys(problems) as ProblemCode[];

    expect(tableRows(readme, 'Code', 'HTTP', 'What it means')).toEqual(
      codes.map((code) => [`\`${code}\``, String(problems[code].status), problemMeanings[code]]),
    );
  });

  it('list every route with what it does and the token that it takes', async () => {
    expect(tableRows(readme, 'Route', 'What it does', 'Token')).toEqual(await routes());
  });

  it('list every scope', () => {
    expect(tableRows(readme, 'Scope', 'What it allows')).toEqual(
      Object.entries(scopeMeanings).map(([scope, meaning]) => [`\`${scope}\``, meaning]),
    );
  });

  it('list every setting with its default', () => {
    expect(tableRows(readme, 'Variable', 'Meaning', 'Default')).toEqual(
      Object.entries(Settings.properties).map(([name, schema]) => [
        `\`${name}\``,
        schema.description,
        typeof schema.default === 'string' ? `\`${schema.default}\`` : '',
      ]),
    );
  });

  it('list every type of event', () => {
    expect(tableRows(readme, 'Event', 'Written when').map(([event]) => event)).toEqual(
      traceEventTypes.map((type) => `\`${type}\``),
    );
  });

  it('list every folder of the source, and what it knows of the others', () => {
    const folders = tableRows(readme, 'Folder', 'What is in it', 'What of `src` it knows')
      .filter(([folder = '']) => folder.startsWith('`src/'))
      .map(([folder = '', , known = '']) => [codeSpans(folder)[0], codeSpans(known).sort()]);

    expect(Object.fromEntries(folders)).toEqual(importsByFolder());
  });

  it('list the parts of the one check, in its order', () => {
    expect(
      tableRows(readme, 'Script', 'What it checks').map(([script = '']) => codeSpans(script)[0]),
    ).toEqual(manifest.scripts['check']?.split(' && '));
  });
});

describe('the README', () => {
  it('gives an answer to each of its commands', () => {
    expect(stepsOf(readme).length).toBeGreaterThan(10);
  });

  it('names no npm script that is not there', () => {
    const named = commands
      .flatMap((text) => [...text.matchAll(/\bnpm (?:run (?:--silent )?)?([a-z][a-z:-]*)/g)])
      .flatMap(([, script]) => script ?? [])
      .filter((script) => script !== 'ci');

    expect(named.filter((script) => !Object.hasOwn(manifest.scripts, script))).toEqual([]);
  });

  it('names no file or folder that is not there', () => {
    const named = codeSpans(readme).filter((span) =>
      /^(src|test|migrations|openapi|\.ci|\.config)(\/|$)/.test(span),
    );

    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('asks for the Node that the package asks for', () => {
    expect(/^Node ([\d.]+) or newer/m.exec(readme)?.[1]).toBe(manifest.engines.node.replace('>=', ''));
  });
});

describe.each(['README.md', 'CHANGELOG.md', 'SECURITY.md'])('%s', (page) => {
  it('has no link within the repository that leads nowhere', () => {
    const local = linkTargets(readFileSync(page, 'utf8')).filter((target) => !/^[a-z]+:/.test(target));

    expect(local.filter((target) => !leadsSomewhere(page, target))).toEqual([]);
  });
});

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(file)) return false;
  return anchor === undefined || anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
}

/** The rows of the table of routes, by the API document. */
async function routes(): Promise<string[][]> {
  const operation = Type.Object({
    summary: Type.String(),
    security: Type.Array(Type.Object({ bearer: Type.Array(Type.String()) })),
  });
  const { paths } = Value.Parse(
    Type.Object({ paths: Type.Record(Type.String(), Type.Record(Type.String(), operation)) }),
    JSON.parse(await generateDocument()),
  );
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { summary, security }]) => [
      `\`${method.toUpperCase()} ${path}\``,
      summary,
      tokenOf(security),
    ]),
  );
}

function tokenOf(alternatives: readonly { bearer: string[] }[]): string {
  if (alternatives.length === 0) return 'none';
  return alternatives
    .map(({ bearer }) => (bearer.length === 0 ? 'any valid one' : `\`${bearer.join(' ')}\``))
    .join(' or ');
}

/** The other folders of the source that the files of each folder import from. */
function importsByFolder(): Record<string, string[]> {
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return Object.fromEntries(
    folders.map(({ name }) => {
      const others = sourceFiles(join('src', name)).flatMap((file) =>
        importedFrom(file).map((target) => join(dirname(file), target).split('/')[1] ?? ''),
      );
      const known = others.filter((other) => other !== name && !other.endsWith('.js'));
      return [`src/${name}`, [...new Set(known)].sort()];
    }),
  );
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

function importedFrom(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].flatMap(([, target]) => target ?? []);
}
