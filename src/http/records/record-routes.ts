import { Type, type TObject } from '@sinclair/typebox';

import { recordBody } from '../../domain/parse-record.js';
import { ofEachKind, type KnownKind, recordKinds, type RecordKindName } from '../../domain/record-kinds.js';
import type { RecordKind, RecordKeys } from '../../domain/records/record-kind.js';
import type { StoredRecord } from '../../app/stored.js';

/** How one kind of record is reached over HTTP. */
export type RecordRoute = KnownKind & {
  readonly body: TObject;
  readonly view: TObject;
};

/** Every kind of record, each on the same two routes. */
export const recordRoutes: readonly RecordRoute[] = Object.values(
  ofEachKind((kind) => {
    const title = kind.name
      .split('_')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join('');
    return { ...kind, body: recordBody(kind, `${title}Body`), view: viewOf(kind, `${title}Record`) };
  }),
);

/** A record as it is answered. A field that it doesn't have, or that the caller may not see, is left out. */
function viewOf(kind: RecordKind, $id: string): TObject {
  const keys = Object.fromEntries(kind.keys.map((key) => [key, Type.String()]));
  const fields = Object.fromEntries(
    Object.entries(kind.fields).map(([key, schema]) => [
      key,
      kind.sensitive.includes(key) ? Type.Optional(schema) : schema,
    ]),
  );
  return Type.Object(
    {
      tenant_id: Type.String(),
      ...keys,
      ...fields,
      revision: Type.Integer({ minimum: 1, description: 'Counts the changes; also the `ETag`.' }),
      updated_at: Type.String({ format: 'date-time', description: "Last change, by the database's clock." }),
    },
    { $id, title: $id, additionalProperties: false },
  );
}

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
