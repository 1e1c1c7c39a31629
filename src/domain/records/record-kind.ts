import type { TSchema } from '@sinclair/typebox';

/** A record's fields as they are read, compared and stored; null: the record has no such value. */
export type RecordFields = Readonly<
  Record<string, string | number | boolean | readonly string[] | readonly object[] | null>
>;

/** What stands in a field whose schema makes it a string; anything else is a bug of ours. */
export function textIn(fields: RecordFields, field: string): string {
  const value = fields[field];
  if (typeof value !== 'string') throw new TypeError(`A record's ${field} is no string`);
  return value;
}

/** Ids of a record below its tenant, by the names of its kind's keys. */
export type RecordKeys = Readonly<Record<string, string>>;

/**
 * All that there is to know of one kind of record: where it is kept and reached, its fields, what may become of them, and
 * what of it is told to whom. Its reader, routes, scope, statements and documentation are made from this.
 */
export interface RecordKind {
  /** What the trace calls it. */
  readonly name: string;
  /** Below `/tenants/{tenant_id}/`. */
  readonly path: string;
  /** What a record of the kind is, in a sentence or two. */
  readonly meaning: string;
  readonly table: string;
  /** What the one system of record that writes the kind has to be allowed. */
  readonly scope: { readonly name: string; readonly meaning: string };
  /** Fields of its path below the tenant, outermost first; for a policy none. */
  readonly keys: readonly string[];
  /** Body of a PUT, each field with its limits. */
  readonly fields: Readonly<Record<string, TSchema>>;
  /** The field with the session that the record belongs to; undefined: it belongs to the whole tenant. */
  readonly sessionField?: string;
  /** Whether a writer may say which epoch of the session it belongs to. */
  readonly sessionEpoch?: boolean;
  /** The key with the principal that the record is about. */
  readonly principalKey?: string;
  /** The field that says whose the session is. */
  readonly principalField?: string;
  /**
   * Fields with other records of the kind that this one descends from: each is set once, none leads back to the record, and
   * none is one that the writer may not see.
   */
  readonly descendsFrom?: readonly string[];
  /** Fields that never change once the record is there. */
  readonly frozen: readonly string[];
  /** The status field and what may follow on each status; a status that nothing may follow on is final. */
  readonly status?: {
    readonly field: string;
    readonly next: Readonly<Record<string, readonly string[]>>;
  };
  /** A time that may only become earlier. */
  readonly onlyEarlier?: string;
  /** Other records that a write has to go with, in the order in which they are looked at. */
  readonly links?: readonly RecordLink[];
  /** Free text: told only to who may read records. */
  readonly sensitive: readonly string[];
  /** Columns that the store keeps beside the fields, each made from them. */
  readonly derived?: Readonly<Record<string, (fields: RecordFields) => string>>;
  /** Its keys in the documentation, and the fields that an example goes without. */
  readonly example: { readonly keys: Readonly<Record<string, string>>; readonly without?: readonly string[] };
}

/** The record of the kind `to` that has the same value in `by`, if there is one; a write that doesn't go with it is refused. */
export type RecordLink = { readonly to: string; readonly by: string; readonly refusal: LinkRefusal } & (
  | {
      /** It has to be the record itself: no other may have the value. */
      readonly unique: true;
    }
  | {
      /** Both have to be equal in these. */
      readonly agree: readonly string[];
    }
);

export type LinkRefusal = 'approval_mismatch' | 'approval_already_bound' | 'session_has_successor';
