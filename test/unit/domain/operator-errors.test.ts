import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';

import { edited } from '../../support/edit-json.js';
import { bodyName, bodyNames, refusalOf, validBodies } from '../../support/parse-requests.js';
import { readFixture } from '../../support/read-fixture.js';

const { cases } = readFixture(
  'operator-errors.json',
  Type.Object({
    cases: Type.Array(
      Type.Object(
        {
          situation: Type.String(),
          request: bodyName,
          set: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
          remove: Type.Optional(Type.Array(Type.String())),
          error: Type.Union([Type.String(), Type.Null()]),
          pointer: Type.Optional(Type.String()),
        },
        { additionalProperties: false },
      ),
      { minItems: 1 },
    ),
  }),
);

describe('a request that is malformed in a particular way', () => {
  it.each(cases)('$request: $situation', ({ request, set, remove, error, pointer }) => {
    const body = edited(validBodies[request], { set: set ?? {}, remove: remove ?? [] });

    expect(refusalOf(request, body)).toEqual(error === null ? undefined : { error, pointer });
  });
});

describe('the valid requests that the others are made from', () => {
  it.each(bodyNames)('%s is accepted', (request) => {
    expect(refusalOf(request, validBodies[request])).toBeUndefined();
  });
});
