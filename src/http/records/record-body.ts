import type { StoredRecord } from '../../app/stored.js';
import { recordKinds, type KnownKind, type RecordKindName } from '../../domain/record-kinds.js';
import type { RecordKeys } from '../../domain/records/record-kind.js';

/** Where a record stands. */
export interface RecordAddress {
  readonly name: RecordKindName;
  readonly tenant_id: string;
  readonly keys: RecordKeys;
}

/** A record as it is answered: what it doesn't have is left out, and free text unless the caller may read records. */
export function recordView(
  { name, tenant_id, keys }: RecordAddress,
  { fields, revision, updated_at }: StoredRecord,
  options: { readonly sensitive: boolean },
): Record<string, unknown> {
  const { sensitive }: KnownKind = recordKinds[name];
  const shown = Object.entries(fields).filter(
    ([field, value]) => value !== null && (options.sensitive || !sensitive.includes(field)),
  );
  return { tenant_id, ...keys, ...Object.fromEntries(shown), revision, updated_at };
}

/** A record's entity tag: its revision. */
export function entityTag({ revision }: StoredRecord): string {
  return `"${String(revision)}"`;
}
