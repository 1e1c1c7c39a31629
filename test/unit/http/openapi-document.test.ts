import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, it } from 'vitest';

import { decisionReasons } from '../../../src/domain/reasons.js';
import { decisionStatuses, traceEventTypes } from '../../../src/domain/vocabulary.js';
import { generateDocument } from '../../../src/cli/generate-document.js';
import { problems } from '../../../src/http/problems.js';
import { pointersIn, valueAt } from '../../support/edit-json.js';

const committed = 'openapi/openapi.json';
const document: unknown = JSON.parse(readFileSync(committed, 'utf8'));

/** The JSON pointer of each operation. */
const operations = pointersIn(document, () => true).filter((pointer) =>
  /^\/paths\/[^/]+\/(get|put|post|patch|delete)$/.test(pointer),
);

/** The JSON pointer of each example of an answer. */
const answerExamples = pointersIn(document, () => true).filter((pointer) =>
  /\/responses\/\d+\/content\/[^/]+\/examples\/[^/]+\/value$/.test(pointer),
);

describe('the committed OpenAPI document', () => {
  let generated: string;

  beforeAll(async () => {
    generated = await generateDocument();
  });

  it('is the one that the routes make: run `npm run openapi` when it is not', () => {
    expect(readFileSync(committed, 'utf8') === generated).toBe(true);
  });

  it('is made the same every time', async () => {
    expect((await generateDocument()) === generated).toBe(true);
  });

  it('is valid, and so is every example by its schema', { timeout: 60_000 }, async () => {
    const lint = ['lint', '--config', '.config/redocly.yaml', '--format', 'json', committed];
    const { stdout } = await redocly(lint).catch((error: unknown) => error as { stdout: string });

    expect(valueAt(JSON.parse(stdout), '/problems')).toEqual([]);
  });

  it('has operations', () => {
    expect(operations.length).toBeGreaterThan(5);
  });

  it.each(operations)('explains %s', (operation) => {
    for (const member of ['operationId', 'summary', 'description', 'tags/0']) {
      expect([member, valueAt(document, `${operation}/${member}`)]).toEqual([
        member,
        expect.stringMatching(/\S/),
      ]);
    }
  });

  it('gives each operation an id of its own', () => {
    const ids = operations.map((operation) => valueAt(document, `${operation}/operationId`));

    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(operations)('shows an example of every status and of the body of %s', (operation) => {
    const members = pointersIn(valueAt(document, operation), () => true);
    const contents = members.filter((pointer) => /\/content\/[^/]+$/.test(pointer));
    const silent = contents.filter(
      (content) => !members.some((pointer) => pointer.startsWith(`${content}/examples/`)),
    );
    const statuses = members.filter((pointer) => /^\/responses\/[^/]+$/.test(pointer));
    const empty = statuses.filter((status) => !contents.some((content) => content.startsWith(`${status}/`)));

    expect(statuses.length).toBeGreaterThan(1);
    expect(silent).toEqual([]);
    expect(empty).toEqual([]);
  });

  it.each([
    ['reason code', 'reason', decisionReasons],
    ['decision status', 'status', decisionStatuses],
    ['error code', 'code', Object.keys(problems).filter((code) => code !== 'route_not_found')],
  ])('shows every %s in an example', (_what, member, literals) => {
    const shown = new Set(answerExamples.map((example) => valueAt(document, `${example}/${member}`)));

    expect(literals.filter((literal) => !shown.has(literal))).toEqual([]);
  });

  it('names every type of trace event', () => {
    const named = valueAt(document, '/components/schemas/TraceEvent/properties/event_type/enum');

    expect(named).toEqual(traceEventTypes);
  });

  it('shows no answer that authorizes', () => {
    const authorizing = pointersIn(document, (member) => member === true).filter((pointer) =>
      pointer.endsWith('/authorized'),
    );

    expect(authorizing).toEqual([]);
  });
});

/** The linter without its reports and notices, which would ask the network. */
function redocly(args: readonly string[]) {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return promisify(execFile)('node_modules/.bin/redocly', args, { env });
}
