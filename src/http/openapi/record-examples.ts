import type { TSchema } from '@sinclair/typebox';

import { recordParser } from '../../domain/parse-record.js';
import type { RecordKind } from '../../domain/records/record-kind.js';
import { exampleEnvelope } from './examples.js';

/** Examples of a record: as it is sent, as a writer gets it back, and as a reader sees it. */
export function recordExamples(kind: RecordKind) {
  const { keys, without = [] } = kind.example;
  const body = Object.fromEntries(
    Object.entries(kind.fields)
      .filter(([field]) => !without.includes(field))
      .map(([field, schema]) => [field, sealed[field] ?? exampleOf(schema)]),
  );
  const stored = Object.entries(recordParser(kind)(body).fields).filter(([, value]) => value !== null);
  const read = {
    tenant_id: exampleEnvelope.tenant_id,
    ...keys,
    ...Object.fromEntries(stored),
    revision: 1,
    updated_at: '2026-07-21T16:55:00.000000Z',
  };
  const written = Object.fromEntries(Object.entries(read).filter(([field]) => !kind.sensitive.includes(field)));
  return { body, read, written };
}

/** A record says what the envelope says, so that the examples can be tried one after the other. */
const sealed: Readonly<Record<string, unknown>> = exampleEnvelope;

function exampleOf(schema: TSchema): unknown {
  const examples: unknown = schema['enum'] ?? schema.examples;
  return Array.isArray(examples) ? examples[0] : undefined;
}
