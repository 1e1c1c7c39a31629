import {
  Type,
  type StringOptions,
  type TArray,
  type TNumber,
  type TSchema,
  type TString,
  type TUnsafe,
} from '@sinclair/typebox';

import { readAs } from './reader/reading.js';

/** Longest id, version, ref or digest, in code points. */
export const identifierMaxLength = 512;

/** Longest scope, in code points. */
export const scopeMaxLength = 4_096;

/** Longest objective, in code points. */
export const objectiveMaxLength = 8_192;

/** Most entries in any list that a caller sends. */
export const listMaxItems = 1_000;

/** A value that may be absent from its source. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** An id, version, ref or digest: one line that is not empty, and that a path can name. */
export function identifier(description: string, options: StringOptions = {}): TString {
  return readAs(Type.String({ description, minLength: 1, maxLength: identifierMaxLength, ...options }), {
    standsInPaths: true,
  });
}

export type LiteralString<Literal extends string> = TUnsafe<Literal> & {
  title: string;
  enum: readonly Literal[];
  minLength: number;
  maxLength: number;
};

/**
 * A string that is one of the given literals. The title is what operator errors call it, and the lengths decide how
 * much of another value its refusal repeats.
 */
export function literalString<const Literal extends string>(
  title: string,
  description: string,
  literals: readonly Literal[],
): LiteralString<Literal> {
  return Object.assign(Type.Unsafe<Literal>({ type: 'string', description }), {
    title,
    enum: [...literals],
    minLength: 1,
    maxLength: identifierMaxLength,
  });
}

/** A list of ids or refs, in the caller's order, duplicates kept. */
export function identifierList(
  description: string,
  itemDescription: string,
  options: { minItems?: number; examples?: string[][] } = {},
): TArray<TString> {
  return Type.Array(identifier(itemDescription), { description, maxItems: listMaxItems, ...options });
}

/** What is left of a budget: finite, in a unit that only its owner knows. */
export function budget(description: string): TNumber {
  return readAs(Type.Number({ description, minimum: 0, examples: [7] }), {
    malformed: 'Continuity budget must be a non-negative number',
  });
}
