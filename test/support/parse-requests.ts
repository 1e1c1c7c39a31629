import { Type } from '@sinclair/typebox';

import { ContinuityFormatError, type Fault } from '../../src/domain/format-error.js';
import { parseInspectRequest, parseRehydrateRequest, parseSealRequest } from '../../src/domain/requests.js';
import { validWrites, writeNames, writeParsers } from './parse-writes.js';
import { readFixture } from './read-fixture.js';

/** The three requests whose bodies the core parses. */
export const requestNames = ['seal', 'rehydrate', 'inspect'] as const;

/** Every body that the core parses. */
export const bodyNames = [...requestNames, ...writeNames];
type BodyName = (typeof bodyNames)[number];

/** Schema of a body's name in a data file. */
export const bodyName = Type.Union(bodyNames.map((name) => Type.Literal(name)));

export const parsers = {
  seal: parseSealRequest,
  rehydrate: parseRehydrateRequest,
  inspect: parseInspectRequest,
  ...writeParsers,
} satisfies Record<BodyName, (body: unknown) => unknown>;

/** One valid body a request, every optional field present. */
export const validRequests = readFixture(
  'valid-requests.json',
  Type.Object({ seal: Type.Unknown(), rehydrate: Type.Unknown(), inspect: Type.Unknown() }),
);

/** One valid body of each name. */
export const validBodies: Record<BodyName, unknown> = { ...validRequests, ...validWrites };

/** The first operator error and its pointer that a body is refused with, or undefined when it is accepted. */
export function refusalOf(name: BodyName, body: unknown): { error: string; pointer: string } | undefined {
  const [first] = faultsOf(name, body);
  return first && { error: first.message, pointer: first.pointer };
}

/** Everything that a body is refused for. */
export function faultsOf(name: BodyName, body: unknown): readonly Fault[] {
  try {
    parsers[name](body);
    return [];
  } catch (error) {
    if (error instanceof ContinuityFormatError) return error.faults;
    throw error;
  }
}
