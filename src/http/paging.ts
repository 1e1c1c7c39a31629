import { Type } from '@sinclair/typebox';

import type { TraceCursor } from '../app/stored.js';
import { Problem } from './problems.js';

/** How many entries of a list are wanted at most. */
export const limitQuery = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'Entries at most; 100 if absent.',
    examples: [100],
  }),
);

/** A page of a log that is numbered without gaps. */
export const sequencePage = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only what stands behind this sequence.',
        examples: [0],
      }),
    ),
    limit: limitQuery,
  },
  { additionalProperties: false },
);

/**
 * A page of a log that is numbered without gaps, from one entry more than it may hold: the entry that is too many says
 * that there is a next page.
 */
export function sequencePageOf<T extends { readonly sequence: number }>(
  entries: readonly T[],
  limit: number,
): { shown: T[]; next_after: number | null } {
  const shown = entries.slice(0, limit);
  return { shown, next_after: entries.length > limit ? (shown.at(-1)?.sequence ?? null) : null };
}

/** A place in the order of the trace, opaque to callers. */
export function encodeCursor({ transactionId, position }: TraceCursor): string {
  return Buffer.from(`${transactionId}.${position}`).toString('base64url');
}

/** Throws `schema_invalid` for what no page ever returned. */
export function decodeCursor(cursor: string): TraceCursor {
  const match = /^(\d{1,19})\.(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const [, transactionId, position] = match ?? [];
  if (transactionId === undefined || position === undefined) {
    const message = 'This cursor is not one that a page returned';
    throw new Problem('schema_invalid', message, { faults: [{ pointer: '/querystring/cursor', message }] });
  }
  return { transactionId, position };
}
