import { Problem } from './problems.js';
import type { TraceCursor } from '../app/stored.js';

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
