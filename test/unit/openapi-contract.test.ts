import { expect, it } from 'vitest';
import { Answer } from '../support/answer.js';
import { OpenApiContract } from '../support/openapi-contract.js';

const schema = {
  type: 'object',
  properties: { made: { type: 'string', format: 'date-time' } },
  required: ['made'],
  additionalProperties: false,
};

const contract = new OpenApiContract({
  openapi: '3.1.0',
  paths: {
    '/things/{id}': {
      get: {
        operationId: 'readThing',
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        },
      },
    },
    '/things/newest': {
      get: { operationId: 'readNewest', responses: { 204: { content: { 'text/plain': {} } } } },
    },
  },
  components: { schemas: { Thing: schema } },
});

const made = { made: '2026-07-21T17:00:00Z' };

it('lets an answer pass that is documented', () => {
  expect(check({})).not.toThrow();
});

it.each([
  ['status', { status: 201 }, 'there is no status 201'],
  ['media type', { contentType: 'text/html' }, 'there is no media type "text/html"'],
  ['missing member', { body: {} }, "must have required property 'made'"],
  ['member too many', { body: { ...made, more: 1 } }, 'must NOT have additional properties'],
  ['format', { body: { made: 'today' } }, 'must match format "date-time"'],
  ['status of another operation', { url: '/things/newest' }, 'there is no status 200'],
  ['route', { url: '/nothing' }, 'there is no status 200'],
])('refuses a %s that is not documented', (_what, answer, fault) => {
  expect(check(answer)).toThrow(fault);
});

function check({
  url = '/things/7?all=yes',
  status = 200,
  contentType = 'application/json; charset=utf-8',
  body = made,
}: {
  url?: string;
  status?: number;
  contentType?: string;
  body?: object;
}): () => void {
  return () => {
    contract.check('GET', url, new Answer(status, { 'content-type': contentType }, JSON.stringify(body)));
  };
}
