import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';

import { ContinuityFormatError } from '../../../src/domain/format-error.js';
import { inspectContinuity } from '../../../src/domain/inspect.js';
import { parseInspectRequest } from '../../../src/domain/requests.js';
import { readFixture } from '../../support/read-fixture.js';

const { vectors } = readFixture(
  'decision-vectors.json',
  Type.Object({
    vectors: Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        request: Type.Unknown(),
        expect: Type.Union([
          Type.Object({ status: Type.String(), reason: Type.String() }, { additionalProperties: false }),
          Type.Object({ error: Type.String() }, { additionalProperties: false }),
        ]),
      }),
    ),
  }),
);

describe('the conformance vectors', () => {
  it('are all there', () => {
    expect(vectors).toHaveLength(77);
  });

  it.each(vectors)('$id: $title', ({ request, expect: expected }) => {
    expect(answerTo(request)).toEqual(expected);
  });
});

function answerTo(body: unknown): { status: string; reason: string } | { error: string } {
  try {
    const { status, reason } = inspectContinuity(parseInspectRequest(body), 0n);
    return { status, reason };
  } catch (error) {
    if (error instanceof ContinuityFormatError) return { error: error.message };
    throw error;
  }
}
