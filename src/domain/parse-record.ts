import { TypeGuard, type TSchema } from '@sinclair/typebox';

import {
  bodyPlace,
  checkTimestamp,
  openObject,
  placeOf,
  readBudget,
  readCount,
  readLiteral,
  readString,
  readStrings,
  readText,
  refuse,
  type Fields,
} from './fields.js';
import { recordBody, type RecordFields, type RecordKind } from './record-kinds.js';
import type { LiteralString } from './schemas.js';
import { formatTimestamp } from './time.js';

/** The body of a record's PUT. */
export interface RecordRequest {
  /** Every field of the kind; null where the body left an optional one out. */
  readonly fields: RecordFields;
  readonly session_epoch: number | undefined;
}

/**
 * Parses the body of a record's PUT: strings trimmed, times in UTC with six fraction digits, in the kind's own order.
 *
 * Throws `ContinuityFormatError` for the first violated rule.
 */
export function parseRecord(
  kind: RecordKind,
  body: unknown,
  options: { sessionEpoch: boolean },
): RecordRequest {
  const schema = recordBody(kind, { $id: kind.kind, ...options });
  const opened = openObject(body, bodyPlace, schema, 'Continuity request must be an object');
  const fields: Record<string, RecordFields[string]> = {};
  for (const [key, fieldSchema] of Object.entries(kind.fields)) {
    fields[key] =
      TypeGuard.IsOptional(fieldSchema) && !opened.values.has(key)
        ? null
        : readField(opened, key, fieldSchema);
  }
  requireDelegation(opened, fields);
  requireEvidence(opened, fields);
  const session_epoch = opened.values.has('session_epoch') ? readCount(opened, 'session_epoch') : undefined;
  return { fields, session_epoch };
}

function readField(opened: Fields, key: string, schema: TSchema): RecordFields[string] {
  if (isLiteral(schema)) return readLiteral(opened, key, schema);
  if (TypeGuard.IsNumber(schema)) return readBudget(opened);
  if (TypeGuard.IsArray(schema) && TypeGuard.IsString(schema.items)) {
    return readStrings(opened, key, { ...schema, items: schema.items });
  }
  if (!TypeGuard.IsString(schema)) throw new TypeError(`No reader for the field ${key}`);
  if (schema['x-multiline'] === true) return readText(opened, key, schema);
  const text = readString(opened, key, schema);
  return schema.format === 'date-time' ? formatTimestamp(checkTimestamp(opened, key, text)) : text;
}

function isLiteral(schema: TSchema): schema is LiteralString<string> {
  return Array.isArray(schema['enum']);
}

/** Whoever acts for somebody else says for whom, and within what. */
function requireDelegation(opened: Fields, fields: RecordFields): void {
  if (fields['authorization_mode'] !== 'user_delegated') return;
  for (const key of ['delegated_principal_id', 'delegated_scope']) {
    if (fields[key] === '') refuse('is required', placeOf(opened, key));
  }
}

/** What is done is done on evidence. */
function requireEvidence(opened: Fields, fields: RecordFields): void {
  if (fields['obligation_status'] === 'discharged' && fields['evidence_refs'] === null) {
    refuse('is required', placeOf(opened, 'evidence_refs'));
  }
}
