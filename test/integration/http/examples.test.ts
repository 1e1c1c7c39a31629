import { readFileSync } from 'node:fs';

import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { createTestApp, type TestApp } from '../../support/test-app.js';

/** The examples of the API document, tried by someone who has read nothing else. */

let gate: TestApp;

beforeEach(async () => {
  gate = await createTestApp();
});

afterEach(() => gate.close());

it('lead to a go with an attested state', async () => {
  expect((await gate.seal(exampleOf('post', '/envelopes'))).status).toBe(201);

  const { status, body } = await gate.rehydrate(exampleOf('post', '/rehydrate'));
  expect(body).toMatchObject({ reason: 'continuity_validated', findings: [] });
  expect(status).toBe(200);
});

it('lead to a go with records of every kind', async () => {
  const kinds = Object.keys(paths).filter((path) => paths[path]?.put !== undefined);
  for (const path of kinds) await send('PUT', path);
  await send('POST', '/tenants/{tenant_id}/sessions/{session_id}/events');
  await send('POST', '/envelopes');

  const request = { ...exampleOf('post', '/rehydrate'), current_state: undefined };
  expect((await gate.rehydrate(request)).body).toMatchObject({
    reason: 'continuity_validated',
    findings: [],
    control_state_source: 'records',
  });
});

const Example = Type.Object({ value: Type.Record(Type.String(), Type.Unknown()) });
const Operation = Type.Object({
  parameters: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), example: Type.Optional(Type.String()) })),
  ),
  requestBody: Type.Optional(
    Type.Object({
      content: Type.Object({
        'application/json': Type.Object({ examples: Type.Record(Type.String(), Example) }),
      }),
    }),
  ),
});
const Document = Type.Object({
  paths: Type.Record(
    Type.String(),
    Type.Object({ put: Type.Optional(Operation), post: Type.Optional(Operation) }),
  ),
});
const { paths } = Value.Parse(Document, JSON.parse(readFileSync('openapi/openapi.json', 'utf8')));

function exampleOf(method: 'put' | 'post', path: string): Record<string, unknown> {
  const examples = paths[path]?.[method]?.requestBody?.content['application/json'].examples ?? {};
  const [first] = Object.values(examples);
  if (!first) throw new Error(`${method} ${path} has no example`);
  return first.value;
}

async function send(verb: 'PUT' | 'POST', path: string): Promise<void> {
  const method = verb === 'PUT' ? 'put' : 'post';
  const ids = new Map(paths[path]?.[method]?.parameters?.map(({ name, example }) => [name, example]));
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids.get(name) ?? ''));
  const { status, body } = await gate.inject({ method: verb, url, payload: exampleOf(method, path) });
  expect({ url, status, body }).toMatchObject({ status: 201 });
}
