import { Type, type TObject, type TSchema } from '@sinclair/typebox';

import { readerOf } from './reader/reader.js';
import type { RecordFields, RecordKind } from './records/record-kind.js';
import { formatTimestamp, readInstant } from './time.js';

/** The body of a record's PUT. */
export interface RecordRequest {
  /** Every field of the kind; null where the body left an optional one out. */
  readonly fields: RecordFields;
  readonly session_epoch: number | undefined;
}

/**
 * Makes the parser of a kind's PUT: strings trimmed, times in UTC with six fraction digits, in the kind's own order.
 *
 * The parser throws `ContinuityFormatError` with all that is wrong.
 */
export function recordParser(kind: RecordKind): (body: unknown) => RecordRequest {
  const schema = recordBody(kind, kind.name);
  const read = readerOf(Type.Unsafe<Record<string, RecordFields[string]>>(schema));
  const kept = Object.entries(kind.fields);
  return (body) => {
    const given = read(body);
    const { session_epoch } = given;
    return {
      fields: Object.fromEntries(kept.map(([key, field]) => [key, keptValue(field, given[key])])),
      session_epoch: typeof session_epoch === 'number' ? session_epoch : undefined,
    };
  };
}

/** The body of a PUT as a schema. */
export function recordBody({ fields, sessionEpoch }: RecordKind, $id: string): TObject {
  return Type.Object(
    { ...fields, ...(sessionEpoch && { session_epoch: sessionEpochField }) },
    { $id, title: $id, additionalProperties: false },
  );
}

const sessionEpochField = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Refused unless it is the current epoch of the session.',
    examples: [1],
  }),
);

function keptValue({ format }: TSchema, value: RecordFields[string] | undefined): RecordFields[string] {
  if (format === 'date-time' && typeof value === 'string') return formatTimestamp(readInstant(value));
  return value ?? null;
}
