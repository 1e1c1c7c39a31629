import type { TObject } from '@sinclair/typebox';

import { ContinuityFormatError, echo, pointerTo } from './format-error.js';
import type { LiteralString } from './schemas.js';
import { hasControlCharacter, isLongerThan, trimWhiteSpace } from './text.js';
import { parseTimestamp, type Instant } from './time.js';

/**
 * Readers that the parsers of control artifacts share. Each takes its limits from the schema that documents them,
 * coerces nothing, and throws a `ContinuityFormatError` with the operator error of the first rule that is violated.
 */

/** Where a value stands: its name in operator errors and its JSON pointer from the root of the request body. */
export interface Place {
  readonly name: string;
  readonly pointer: string;
}

/**
 * An object that was opened for reading. Only its own members count, so that no inherited name passes for a field, and
 * a member that is undefined is absent, as in JSON text.
 */
export interface Fields {
  readonly place: Place;
  readonly values: ReadonlyMap<string, unknown>;
}

/** The request body itself. */
export const bodyPlace: Place = { name: '', pointer: '' };

/** An artifact that is a member of the request body; its fields are named in operator errors as if it stood alone. */
export function artifactPlace(key: string): Place {
  return { name: '', pointer: pointerTo(bodyPlace.pointer, key) };
}

/** Opens an object; anything else is refused in the given words, and so is a field that the schema doesn't know. */
export function openObject(value: unknown, place: Place, schema: TObject, refusal: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ContinuityFormatError(refusal, place.pointer);
  }
  const members: [string, unknown][] = Object.entries(value);
  const values = new Map<string, unknown>();
  for (const [key, member] of members) {
    if (member === undefined) continue;
    if (!Object.hasOwn(schema.properties, key)) refuse('is not supported', memberPlace(place, echo(key)));
    values.set(key, member);
  }
  return { place, values };
}

/** Opens a member that is itself an object with a schema of its own. */
export function readObject(fields: Fields, key: string, schema: TObject): Fields {
  return openMember(fields.values.get(key), placeOf(fields, key), schema);
}

/** Reads one line of text; it may be empty only if the schema sets no minimum length. */
export function readString(fields: Fields, key: string, schema: StringLimits): string {
  return checkString(fields.values.get(key), placeOf(fields, key), schema, { multiline: false });
}

/** Reads text in which tabs and line breaks are allowed. */
export function readText(fields: Fields, key: string, schema: StringLimits): string {
  return checkString(fields.values.get(key), placeOf(fields, key), schema, { multiline: true });
}

/** Reads a list of one-line strings. */
export function readStrings(
  fields: Fields,
  key: string,
  schema: ListLimits & { items: StringLimits },
): string[] {
  return readList(fields, key, schema, (entry, place) =>
    checkString(entry, place, schema.items, { multiline: false }),
  );
}

/** Reads a list of objects, each opened with the schema of the list's items. */
export function readObjects<T>(
  fields: Fields,
  key: string,
  schema: ListLimits & { items: TObject },
  read: (entry: Fields) => T,
): T[] {
  return readList(fields, key, schema, (entry, place) => read(openMember(entry, place, schema.items)));
}

/** Reads a string that must be one of the schema's literals. */
export function readLiteral<Literal extends string>(
  fields: Fields,
  key: string,
  schema: LiteralString<Literal>,
): Literal {
  return checkLiteral(fields, key, readString(fields, key, schema), schema);
}

/** The literal that an already read string is. */
export function checkLiteral<Literal extends string>(
  fields: Fields,
  key: string,
  value: string,
  schema: LiteralString<Literal>,
): Literal {
  const literal = schema.enum.find((candidate) => candidate === value);
  if (literal !== undefined) return literal;
  const message = `Continuity ${schema.title} is not supported: ${value}`;
  throw new ContinuityFormatError(message, placeOf(fields, key).pointer);
}

/** The moment that an already read string is; refuses one that is no RFC 3339 date-time with an offset. */
export function checkTimestamp(fields: Fields, key: string, value: string): Instant {
  const instant = parseTimestamp(value);
  const { name, pointer } = placeOf(fields, key);
  if (instant === 'invalid') {
    throw new ContinuityFormatError(`Continuity timestamp is invalid: ${name}`, pointer);
  }
  if (instant === 'no_offset') {
    throw new ContinuityFormatError(`Continuity timestamp must include a timezone: ${name}`, pointer);
  }
  return instant;
}

/** Reads a whole number that is not negative and that JavaScript holds exactly. */
export function readCount(fields: Fields, key: string): number {
  const value = fields.values.get(key);
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    refuse('must be a non-negative integer', placeOf(fields, key));
  }
  return withoutNegativeZero(value);
}

/** Reads what is left of a budget. */
export function readBudget(fields: Fields): number {
  const value = fields.values.get('budget_remaining');
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return withoutNegativeZero(value);
  throw new ContinuityFormatError(
    'Continuity budget must be a non-negative number',
    placeOf(fields, 'budget_remaining').pointer,
  );
}

/** Where a member of an opened object stands. */
export function placeOf({ place }: Fields, key: string): Place {
  return memberPlace(place, key);
}

/** Throws the operator error of a field: `rule` says what is wrong with it. */
export function refuse(rule: string, { name, pointer }: Place): never {
  throw new ContinuityFormatError(`Continuity field ${rule}: ${name}`, pointer);
}

interface StringLimits {
  minLength?: number;
  maxLength?: number;
}

interface ListLimits {
  minItems?: number;
  maxItems?: number;
}

function checkString(
  value: unknown,
  place: Place,
  limits: StringLimits,
  { multiline }: { multiline: boolean },
): string {
  if (value === undefined) refuse('is required', place);
  if (typeof value !== 'string') refuse('must be a string', place);
  const text = trimWhiteSpace(value);
  if (text === '' && (limits.minLength ?? 0) > 0) refuse('is required', place);
  if (!text.isWellFormed() || hasControlCharacter(text, { multiline })) {
    refuse('has a character that is not allowed', place);
  }
  if (isLongerThan(text, limits.maxLength ?? Infinity)) refuse('is too long', place);
  return text;
}

function readList<T>(
  fields: Fields,
  key: string,
  limits: ListLimits,
  read: (entry: unknown, place: Place) => T,
): T[] {
  const list: unknown = fields.values.get(key);
  const place = placeOf(fields, key);
  if (list === undefined) refuse('is required', place);
  if (!Array.isArray(list)) refuse('must be an array', place);
  const entries: unknown[] = list;
  if (entries.length < (limits.minItems ?? 0)) refuse('is required', place);
  if (entries.length > (limits.maxItems ?? Infinity)) refuse('is too long', place);
  return entries.map((entry, index) => read(entry, itemPlace(place, index)));
}

function openMember(value: unknown, place: Place, schema: TObject): Fields {
  if (value === undefined) refuse('is required', place);
  return openObject(value, place, schema, `Continuity field must be an object: ${place.name}`);
}

function memberPlace({ name, pointer }: Place, key: string): Place {
  return { name: name === '' ? key : `${name}.${key}`, pointer: pointerTo(pointer, key) };
}

function itemPlace({ name, pointer }: Place, index: number): Place {
  return { name: `${name}[${index}]`, pointer: pointerTo(pointer, index) };
}

/** JSON text and the store know one zero, so that a digest over the value doesn't depend on its sign. */
function withoutNegativeZero(value: number): number {
  return value === 0 ? 0 : value;
}
