import { Type, type Static, type TSchema, type TUnsafe } from '@sinclair/typebox';

/** What a schema asks of its reader beyond what JSON Schema can say. */
export interface ReadingOptions {
  /** The operator error for what is not of the schema's type, absent included. */
  readonly malformed?: string;
  /** The operator error for what is of the type but not allowed. */
  readonly refused?: string;
  /** The operator error for a time without an offset. */
  readonly withoutOffset?: string;
  /** Its fields are named in operator errors as if it were not inside anything. */
  readonly standsAlone?: boolean;
  /** The last of the leading fields whose values are checked only once all of them have been read. */
  readonly checkedTogetherUpTo?: string;
  /** Fields that must be there and not empty beside a literal, by literal. */
  readonly needs?: Readonly<Record<string, readonly string[]>>;
  /** Two fields that are null together or not at all. */
  readonly nullTogether?: readonly [string, string];
  /** Fields of a list's items of which no two items have the same; null is nobody's. */
  readonly distinct?: readonly string[];
  /** A field with which an optional one is required. */
  readonly requiredWith?: string;
  /** Every character may stand in it but a lone surrogate. */
  readonly anyCharacter?: boolean;
  /** It names something by a path, in which nothing can be called `.` or `..`. */
  readonly standsInPaths?: boolean;
  /** What a reference refers to. */
  readonly refersTo?: TSchema;
}

/** Says how a schema is read. The documented schema stays as it was: JSON knows no symbols. */
export function readAs<Schema extends TSchema>(schema: Schema, options: ReadingOptions): Schema {
  return { ...schema, [reading]: { ...readingOf(schema), ...options } };
}

/** A reference to a schema with an id, which is read as the schema itself. */
export function referenceTo<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema>> {
  return readAs(Type.Unsafe<Static<Schema>>(Type.Ref(`${schema.$id ?? ''}#`)), { refersTo: schema });
}

/** How a schema is read. */
export function readingOf(schema: TSchema & { readonly [reading]?: ReadingOptions }): ReadingOptions {
  return schema[reading] ?? {};
}

const reading = Symbol('reading');
