import { Type } from '@sinclair/typebox';

import { ContinuityFormatError } from '../../src/domain/format-error.js';
import { parseInspectRequest, parseRehydrateRequest, parseSealRequest } from '../../src/domain/requests.js';
import { readFixture } from './read-fixture.js';

/** The three requests whose bodies the core parses. */
export const requestNames = ['seal', 'rehydrate', 'inspect'] as const;
export type RequestName = (typeof requestNames)[number];

/** Schema of a request's name in a data file. */
export const requestName = Type.Union(requestNames.map((name) => Type.Literal(name)));

export const parsers = {
  seal: parseSealRequest,
  rehydrate: parseRehydrateRequest,
  inspect: parseInspectRequest,
} satisfies Record<RequestName, (body: unknown) => unknown>;

/** One valid body a request, every optional field present. */
export const validRequests = readFixture(
  'valid-requests.json',
  Type.Object({ seal: Type.Unknown(), rehydrate: Type.Unknown(), inspect: Type.Unknown() }),
);

/** The operator error and pointer that a body is refused with, or undefined when it is accepted. */
export function refusalOf(
  request: RequestName,
  body: unknown,
): { error: string; pointer: string } | undefined {
  try {
    parsers[request](body);
    return undefined;
  } catch (error) {
    if (error instanceof ContinuityFormatError) return { error: error.message, pointer: error.pointer };
    throw error;
  }
}
