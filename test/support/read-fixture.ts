import { readFileSync } from 'node:fs';

import { FormatRegistry, TypeRegistry, type Static, type TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

import { parseTimestamp } from '../../src/domain/time.js';

/** Reads a data file of test/fixtures; one that has another shape than its reader expects fails the test file. */
export function readFixture<Schema extends TSchema>(name: string, schema: Schema): Static<Schema> {
  const text = readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');
  const data: unknown = JSON.parse(text);
  if (Value.Check(schema, data)) return data;
  const [fault] = Value.Errors(schema, data);
  throw new Error(`${name} has another shape: ${fault?.path ?? ''} ${fault?.message ?? ''}`);
}

/** Tells the schema validator what it leaves to its user: what a literal string, a UUID and a date-time are. */
export function registerChecks(): void {
  TypeRegistry.Set('Unsafe', (schema: { enum: unknown[] }, value) => schema.enum.includes(value));
  FormatRegistry.Set('uuid', (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text));
  FormatRegistry.Set('date-time', (text) => typeof parseTimestamp(text) === 'bigint');
}
