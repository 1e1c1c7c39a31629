import {
  recordKinds,
  type RecordFields,
  type RecordKind,
  type RecordKindName,
} from '../domain/record-kinds.js';
import type { Transaction } from './database.js';

/** Ids of a record below its tenant, by the names of its kind's keys. */
export type RecordKeys = Readonly<Record<string, string>>;

/** A record as it is stored. */
export interface StoredRecord {
  readonly fields: RecordFields;
  readonly revision: number;
  /** RFC 3339 in UTC with six fraction digits. */
  readonly updated_at: string;
}

type Column = string | number | string[] | null;

interface RecordRow extends Record<string, Column> {
  revision: string;
  updated_at: string;
}

/** Looks a record up; undefined if there is none. Its writers hold the head of its session or tenant meanwhile. */
export async function findRecord(
  transaction: Transaction,
  name: RecordKindName,
  tenantId: string,
  keys: RecordKeys,
): Promise<StoredRecord | undefined> {
  const { find } = statements[name];
  const [row] = await transaction.query<RecordRow>({
    ...find,
    values: [tenantId, ...keyValues(recordKinds[name], keys)],
  });
  return row && toStoredRecord(recordKinds[name], row);
}

/**
 * Writes a record whole and returns it with its new revision. The caller holds the head of its session or tenant; the
 * database refuses on its own what may never change.
 */
export async function saveRecord(
  transaction: Transaction,
  name: RecordKindName,
  tenantId: string,
  keys: RecordKeys,
  fields: RecordFields,
): Promise<StoredRecord> {
  const kind: RecordKind = recordKinds[name];
  const columns = { ...fields, ...kind.derive?.(fields) };
  const [row] = await transaction.query<RecordRow>({
    ...statements[name].save,
    values: [
      tenantId,
      ...keyValues(kind, keys),
      ...columnNames(kind).map((column) => columns[column] ?? null),
    ],
  });
  if (!row) throw new Error(`A ${name} that was just written is gone`);
  return toStoredRecord(kind, row);
}

const tables: Readonly<Record<RecordKindName, string>> = {
  policy: 'policies',
  capability: 'capabilities',
  principal: 'principals',
  session: 'sessions',
  obligation: 'obligations',
  constraint: 'constraints',
  approval: 'approvals',
  side_effect: 'side_effects',
};

/** The two statements of each kind, written from its fields once. */
const statements = Object.fromEntries(
  Object.entries(recordKinds).map(([name, kind]) => [
    name,
    statementsOf(tables[name as RecordKindName], kind),
  ]),
) as Readonly<Record<RecordKindName, { find: Text; save: Text }>>;

interface Text {
  readonly name: string;
  readonly text: string;
}

function statementsOf(table: string, kind: RecordKind): { find: Text; save: Text } {
  const keys = ['tenant_id', ...kind.keys];
  const written = [...keys, ...columnNames(kind)];
  const returned = [...Object.keys(kind.fields), 'revision', 'updated_at'].map(selected).join(', ');
  return {
    find: {
      name: `find_${table}`,
      text: `
        select ${returned}
        from ${table}
        where ${keys.map((key, index) => `${key} = $${index + 1}`).join(' and ')}`,
    },
    save: {
      name: `save_${table}`,
      text: `
        insert into ${table} (${written.join(', ')})
        values (${written.map((_, index) => `$${index + 1}`).join(', ')})
        on conflict (${keys.join(', ')}) do update
        set ${columnNames(kind)
          .map((column) => `${column} = excluded.${column}`)
          .join(', ')}
        returning ${returned}`,
    },
  };
}

/** Columns beside the keys. */
function columnNames(kind: RecordKind): string[] {
  return [...Object.keys(kind.fields), ...(kind.derive ? ['sha256'] : [])];
}

function selected(column: string): string {
  return column.endsWith('_at') ? `rfc3339(${column}) as ${column}` : column;
}

function keyValues(kind: RecordKind, keys: RecordKeys): string[] {
  return kind.keys.map((key) => {
    const value = keys[key];
    if (value === undefined) throw new Error(`A ${kind.kind} has no record without its ${key}`);
    return value;
  });
}

function toStoredRecord(kind: RecordKind, row: RecordRow): StoredRecord {
  const fields = Object.fromEntries(Object.keys(kind.fields).map((field) => [field, row[field] ?? null]));
  return { fields, revision: Number(row.revision), updated_at: row.updated_at };
}
