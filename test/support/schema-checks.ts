import { FormatRegistry, TypeRegistry } from '@sinclair/typebox';

import { parseTimestamp } from '../../src/domain/time.js';

/** Tells the schema validator what it leaves to its user: what a literal string, a UUID and a date-time are. */
export function registerChecks(): void {
  TypeRegistry.Set('Unsafe', (schema: { enum: unknown[] }, value) => schema.enum.includes(value));
  FormatRegistry.Set('uuid', (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text));
  FormatRegistry.Set('date-time', (text) => typeof parseTimestamp(text) === 'bigint');
}
