import { readFileSync } from 'node:fs';

import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** Reads a data file of test/fixtures; one that has another shape than its reader expects fails the test file. */
export function readFixture<Schema extends TSchema>(name: string, schema: Schema): Static<Schema> {
  const text = readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');
  const data: unknown = JSON.parse(text);
  if (Value.Check(schema, data)) return data;
  const [fault] = Value.Errors(schema, data);
  throw new Error(`${name} has another shape: ${fault?.path ?? ''} ${fault?.message ?? ''}`);
}
