import { identifierMaxLength } from '../domain/schemas.js';
import { hasControlCharacter, isLongerThan, trimWhiteSpace } from '../domain/text.js';
import { Problem } from './problems.js';

/** Reads the `Idempotency-Key` header: opaque, one line, at most as long as any other id. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = trimWhiteSpace(String(header));
  if (
    key === '' ||
    hasControlCharacter(key, { multiline: false }) ||
    isLongerThan(key, identifierMaxLength)
  ) {
    const message = 'An idempotency key has 1 to 512 characters and no control character';
    throw new Problem('schema_invalid', message, {
      faults: [{ pointer: '/headers/idempotency-key', message }],
    });
  }
  return key;
}
