import { Type, type Static } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';

import { edited, valueAt, type Edit } from '../../support/edit-json.js';
import { bodyName, parsers, refusalOf, validBodies } from '../../support/parse-requests.js';
import { readFixture } from '../../support/read-fixture.js';

const ValueCase = Type.Object(
  {
    remove: Type.Optional(Type.Literal(true)),
    value: Type.Optional(Type.Unknown()),
    repeat: Type.Optional(Type.Tuple([Type.String(), Type.Integer()])),
    repeatEntry: Type.Optional(Type.Tuple([Type.Unknown(), Type.Integer()])),
    around: Type.Optional(Type.String()),
    trimmed: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

const FieldCase = Type.Object(
  {
    requests: Type.Array(bodyName, { minItems: 1 }),
    pointer: Type.String(),
    field: Type.String(),
    kind: Type.String(),
    noun: Type.Optional(Type.String()),
    optional_in: Type.Optional(Type.Array(bodyName)),
    may_be_empty: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
type FieldCase = Static<typeof FieldCase>;
type FieldOfBody = FieldCase & { request: FieldCase['requests'][number] };

const { values, kinds, fields } = readFixture(
  'field-cases.json',
  Type.Object({
    values: Type.Record(Type.String(), ValueCase),
    kinds: Type.Record(
      Type.String(),
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), { minProperties: 1 }),
    ),
    fields: Type.Array(FieldCase, { minItems: 1 }),
  }),
);

// Parsed into a digest, an instant and a time in UTC: what was read is not what was written there.
const readElsewhere = ['/summary', '/now', '/expires_at'];

describe.each(fields.flatMap((field) => field.requests.map((request) => ({ ...field, request }))))(
  '$request $pointer',
  (field) => {
    it.each(casesOf(field))('$situation: $outcome', ({ written, read, error, pointer }) => {
      const body = edited(validBodies[field.request], editOf(field.pointer, written));

      expect(refusalOf(field.request, body)).toEqual(error === null ? undefined : { error, pointer });

      if (error === null && !readElsewhere.includes(field.pointer)) {
        expect(valueAt(parsers[field.request](body), field.pointer)).toEqual(read);
      }
    });
  },
);

function casesOf(field: FieldOfBody) {
  const said = kinds[field.kind];
  if (said === undefined) throw new Error(`No kind ${field.kind}`);
  return Object.entries(said).map(([situation, message]) => {
    const value = writtenAndRead(situation);
    const error = mayPass(field, situation) ? null : fill(message, field, value.read);
    const pointer = field.pointer + pointerSuffix(message);
    return { ...value, situation, error, pointer, outcome: error === null ? 'accepted' : 'refused' };
  });
}

function mayPass(field: FieldOfBody, situation: string): boolean {
  if (situation === 'absent') return field.optional_in?.includes(field.request) ?? false;
  const isEmpty = situation === 'empty' || situation === 'only white space';
  return isEmpty && (field.may_be_empty ?? false);
}

function writtenAndRead(situation: string): { written: unknown; read: unknown } {
  const form = values[situation];
  if (form === undefined) throw new Error(`No value ${situation}`);
  if (form.remove) return { written: undefined, read: undefined };
  if (form.repeat) {
    const text = form.repeat[0].repeat(form.repeat[1]);
    return { written: `${form.around ?? ''}${text}${form.around ?? ''}`, read: text };
  }
  if (form.repeatEntry) {
    const list = new Array<unknown>(form.repeatEntry[1]).fill(form.repeatEntry[0]);
    return { written: list, read: list };
  }
  return { written: form.value, read: form.trimmed ?? form.value };
}

function editOf(pointer: string, written: unknown): Edit {
  return written === undefined ? { remove: [pointer] } : { set: { [pointer]: written } };
}

function fill(message: string | null, field: FieldCase, read: unknown): string | null {
  if (message === null) return null;
  return message
    .replace('{field}', field.field)
    .replace('{noun}', field.noun ?? '')
    .replace('{value}', typeof read === 'string' ? read : '');
}

/** What a message names inside the field, as a pointer: `{field}[1]` is `/1`. An envelope's own fields count too. */
function pointerSuffix(message: string | null): string {
  const inside = /\{field\}(?:\.(\w+)|\[(\d+)\])/.exec(message ?? '');
  const ownField = /: (\w+)$/.exec(message ?? '');
  const key = inside?.[1] ?? inside?.[2] ?? ownField?.[1];
  return key === undefined ? '' : `/${key}`;
}
