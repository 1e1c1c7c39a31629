import type { TSchema } from '@sinclair/typebox';

import { recordKinds, type RecordKind, type RecordKindName } from '../../domain/record-kinds.js';
import { formatTimestamp, parseTimestamp } from '../../domain/time.js';
import { exampleEnvelope } from './examples.js';

/** Examples of a record: as it is sent, as a writer gets it back, and as a reader sees it. */
export function recordExamples(name: RecordKindName) {
  const kind: RecordKind = recordKinds[name];
  const body = Object.fromEntries(
    Object.entries(kind.fields)
      .map(([field, schema]): [string, unknown] => [field, exampleOf(schema)])
      .filter(([field]) => field !== 'evidence_refs'),
  );
  const keys = Object.fromEntries(kind.keys.map((key) => [key, exampleKeys[key]]));
  const stored = { ...body, ...('expires_at' in body && { expires_at: normalized(String(body['expires_at'])) }) };
  const read = {
    tenant_id: exampleEnvelope.tenant_id,
    ...keys,
    ...stored,
    revision: 1,
    updated_at: '2026-07-21T16:55:00.000000Z',
  };
  const written = Object.fromEntries(Object.entries(read).filter(([field]) => !kind.sensitive.includes(field)));
  return { body, read, written };
}

function exampleOf(schema: TSchema): unknown {
  const examples: unknown = schema['enum'] ?? schema.examples;
  return Array.isArray(examples) ? examples[0] : undefined;
}

function normalized(time: string): string {
  const instant = parseTimestamp(time);
  return typeof instant === 'bigint' ? formatTimestamp(instant) : time;
}

const exampleKeys: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(
    Object.entries(exampleEnvelope).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  ),
  constraint_ref: exampleEnvelope.exact_constraint_refs[0],
  obligation_id: exampleEnvelope.pending_obligations[0],
};
