import { Type, type TObject } from '@sinclair/typebox';

import { recordBody } from '../../domain/parse-record.js';
import { ofEachKind, type KnownKind } from '../../domain/record-kinds.js';
import type { RecordKind } from '../../domain/records/record-kind.js';

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
