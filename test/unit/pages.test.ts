import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { describe, expect, it } from 'vitest';

import { Settings } from '../../src/config.js';
import { decisionStatuses, traceEventTypes } from '../../src/domain/vocabulary.js';
import { scopeMeanings } from '../../src/http/auth/scopes.js';
import { generateDocument } from '../../src/cli/generate-document.js';
import { problems, type ProblemCode } from '../../src/http/problems.js';
import { decisionHttpStatus, statusMeanings } from '../../src/http/decision-answers.js';
import { anchorsOf, codeBlocks, codeSpans, linkTargets, tableRows } from '../support/markdown.js';
import { pages, readPage } from '../support/pages.js';
import { stepsOf } from '../support/walk-through.js';

const api = readPage('docs/api.md');

const manifest = Value.Parse(
  Type.Object({
    engines: Type.Object({ node: Type.String() }),
    scripts: Type.Record(Type.String(), Type.String()),
  }),
  JSON.parse(readFileSync('package.json', 'utf8')),
);

describe('the tables of the pages', () => {
  it('list every decision with its HTTP status', () => {
    expect(tableRows(api, 'Decision', 'HTTP', 'What it means')).toEqual(
      decisionStatuses.map((status) => [
        `\`${status}\``,
        String(decisionHttpStatus[status]),
        statusMeanings[status],
      ]),
    );
  });

  it('list every error code with its HTTP status', () => {
    const codes = Object.keys(problems) as ProblemCode[];

    expect(tableRows(api, 'Code', 'HTTP', 'What it means')).toEqual(
      codes.map((code) => [`\`${code}\``, String(problems[code].status), problems[code].meaning]),
    );
  });

  it('list every route with what it does and the token that it takes', async () => {
    expect(tableRows(api, 'Route', 'What it does', 'Token')).toEqual(await routes());
  });

  it('list every scope', () => {
    expect(tableRows(api, 'Scope', 'What it allows')).toEqual(
      Object.entries(scopeMeanings).map(([scope, meaning]) => [`\`${scope}\``, meaning]),
    );
  });

  it('list every setting with its default', () => {
    expect(tableRows(readPage('docs/configuration.md'), 'Variable', 'Meaning', 'Default')).toEqual(
      Object.entries(Settings.properties).map(([name, schema]) => [
        `\`${name}\``,
        schema.description,
        typeof schema.default === 'string' ? `\`${schema.default}\`` : '',
      ]),
    );
  });

  it('list every type of event', () => {
    expect(tableRows(readPage('docs/evidence.md'), 'Event', 'Written when').map(([event]) => event)).toEqual(
      traceEventTypes.map((type) => `\`${type}\``),
    );
  });

  it('list every folder of the source, and what it knows of the others', () => {
    const folders = tableRows(
      readPage('docs/architecture.md'),
      'Folder',
      'What is in it',
      'What of `src` it knows',
    )
      .filter(([folder = '']) => folder.startsWith('`src/'))
      .map(([folder = '', , known = '']) => [codeSpans(folder)[0], codeSpans(known).sort()]);

    expect(Object.fromEntries(folders)).toEqual(importsByFolder());
  });

  it('list the parts of the one check, in its order', () => {
    expect(
      tableRows(readPage('CONTRIBUTING.md'), 'Script', 'What it checks').map(
        ([script = '']) => codeSpans(script)[0],
      ),
    ).toEqual(manifest.scripts['check']?.split(' && '));
  });
});

describe('the README', () => {
  const readme = readPage('README.md');

  it('is read in a few minutes', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(200);
  });

  it('asks for the Node that the package asks for', () => {
    expect(/^Node ([\d.]+) or newer/m.exec(readme)?.[1]).toBe(manifest.engines.node.replace('>=', ''));
  });
});

describe('CONTRIBUTING', () => {
  it('names files that are there for everything that it says how to add', () => {
    const rows = tableRows(readPage('CONTRIBUTING.md'), 'To add', 'Touch');

    expect(rows.filter(([, touched = '']) => !codeSpans(touched).some(existsSync))).toEqual([]);
  });
});

describe('SECURITY', () => {
  it('shows for every claim what holds it', () => {
    const claims = ['Who could do harm', 'What they can do', 'What they cannot do', 'Shown by'];
    const rows = tableRows(readPage('SECURITY.md'), ...claims);

    expect(rows.length).toBeGreaterThan(8);
    expect(rows.filter(([, , , shownBy = '']) => linkTargets(shownBy).length === 0)).toEqual([]);
  });
});

describe('the runbooks', () => {
  it('are linked by every alert, and there is one for each', () => {
    const rules = readPage('src/operations/alert-rules.yaml');
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].flatMap(([, alert]) => alert ?? []);
    const runbooks = [...rules.matchAll(/runbook: (\S+)/g)].flatMap(([, target]) => target ?? []);

    expect(runbooks).toEqual(alerts.map((alert) => `docs/operations.md#${alert.toLowerCase()}`));
    expect(anchorsOf(readPage('docs/operations.md'))).toEqual(
      expect.arrayContaining(alerts.map((alert) => alert.toLowerCase())),
    );
  });
});

it('the pages are all there are: those at the top, those of docs and those beside the source', () => {
  const found = ['.', 'docs', 'src', 'test']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: folder !== '.', encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith('.md'));

  expect([...pages].sort()).toEqual(found.sort());
});

describe.each(pages)('%s', (page) => {
  const text = readPage(page);

  it('has no link within the repository that leads nowhere', () => {
    const local = linkTargets(text).filter((target) => !/^[a-z]+:/.test(target));

    expect(local.filter((target) => !leadsSomewhere(page, target))).toEqual([]);
  });

  it('gives an answer to each of its commands', () => {
    expect(() => stepsOf(text)).not.toThrow();
  });

  it('names no npm script that is not there', () => {
    const named = [...codeBlocks(text).map((block) => block.text), ...codeSpans(text)]
      .flatMap((code) => [...code.matchAll(/\bnpm (?:run (?:--silent )?)?([a-z][a-z:-]*)/g)])
      .flatMap(([, script]) => script ?? [])
      .filter((script) => script !== 'ci');

    expect(named.filter((script) => !Object.hasOwn(manifest.scripts, script))).toEqual([]);
  });

  it('names no file or folder that is not there', () => {
    const named = codeSpans(text).filter((span) =>
      /^(src|test|docs|migrations|openapi|\.ci|\.config)(\/|$)/.test(span),
    );

    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(file)) return false;
  return anchor === undefined || anchorsOf(readPage(file)).includes(anchor);
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
