// Makes the client's types and the schemas of the answers from the API document: node generate.js
// With --check it changes nothing, and fails when they are not those of the document.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { URL } from 'node:url';

import openapiTS, { astToString } from 'openapi-typescript';

const folder = new URL('../generated/', import.meta.url);
const document = JSON.parse(
  await readFile(new URL('../../../openapi/openapi.json', import.meta.url), 'utf8'),
);

/** What explains a schema and checks nothing. */
const annotations = new Set(['description', 'title', 'examples', 'example', 'x-examples', '$id']);

const files = {
  'api.ts': `${head()}${astToString(await openapiTS(withoutExamples(document)))}`,
  'answer-schemas.ts': `${head()}${answers()}`,
};

const changed = [];
for (const [name, text] of Object.entries(files)) {
  const before = await readFile(new URL(name, folder), 'utf8').catch(() => undefined);
  if (before !== text) changed.push(name);
}
if (!process.argv.includes('--check')) {
  await mkdir(folder, { recursive: true });
  for (const name of changed) await writeFile(new URL(name, folder), files[name]);
} else if (changed.length > 0) {
  process.stderr.write(`Not those of the API document, run \`npm run openapi\`: ${changed.join(', ')}\n`);
  process.exitCode = 1;
}

function head() {
  return '// Made from openapi/openapi.json by scripts/generate.js; never edited.\n';
}

/** Every answer that the document promises, by path, method, status and media type, and the schemas that they name. */
function answers() {
  const promised = Object.entries(document.paths).map(([path, operations]) => [
    path,
    mapValues(operations, ({ responses }) =>
      mapValues(responses, ({ content = {} }) => mapValues(content, ({ schema }) => bare(schema))),
    ),
  ]);
  const definitions = mapValues(document.components.schemas, bare);
  return [
    `export const answers: Answers = ${JSON.stringify(Object.fromEntries(promised))};`,
    `export const definitions: Readonly<Record<string, object>> = ${JSON.stringify(definitions)};`,
    'type Answers = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, object>>>>>>>>;',
    '',
  ].join('\n');
}

/** A schema without its annotations, and with the others where a validator looks for them. */
function bare(schema) {
  if (Array.isArray(schema)) return schema.map(bare);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !annotations.has(key))
      .map(([key, value]) => {
        if (key === '$ref') return [key, value.replace('#/components/schemas/', '#/$defs/')];
        return [key, key === 'properties' ? mapValues(value, bare) : bare(value)];
      }),
  );
}

function withoutExamples(value) {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => key !== 'examples' || typeof member !== 'object')
      .map(([key, member]) => [key, withoutExamples(member)]),
  );
}

function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
