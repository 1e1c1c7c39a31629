import { TypeGuard, type TSchema } from '@sinclair/typebox';
import { escapeIdentifier } from 'pg';

import type { RecordKey, RecordToWrite, StoredRecord } from '../app/stored.js';
import { kindNamed, ofEachKind, recordKinds } from '../domain/record-kinds.js';
import { linkValue } from '../domain/record-links.js';
import type { RecordFields, RecordKeys, RecordKind, RecordLink } from '../domain/records/record-kind.js';
import type { SqlTransaction, Statement } from './sql.js';

type Column = Exclude<RecordFields[string], undefined>;

interface RecordRow extends Record<string, Column> {
  revision: string;
  updated_at: string;
}

/** Looks a record up; undefined if there is none. Its writers hold the head of its session or tenant meanwhile. */
export async function findRecord(
  transaction: SqlTransaction,
  { name, tenant_id, keys }: RecordKey,
): Promise<StoredRecord | undefined> {
  const { find } = statements[name];
  const [row] = await transaction.query<RecordRow>({
    ...find,
    values: [tenant_id, ...keyValues(recordKinds[name], keys)],
  });
  return row && toStoredRecord(recordKinds[name], row);
}

/**
 * Writes a record whole and returns it with its new revision. The caller holds the head of its session or tenant; the
 * database refuses on its own what may never change.
 */
export async function saveRecord(
  transaction: SqlTransaction,
  { name, tenant_id, keys, fields }: RecordToWrite,
): Promise<StoredRecord> {
  const kind: RecordKind = recordKinds[name];
  const [row] = await transaction.query<RecordRow>({
    ...statements[name].save,
    values: [
      tenant_id,
      ...keyValues(kind, keys),
      ...Object.entries(kind.fields).map(([field, schema]) => columnValue(schema, fields[field] ?? null)),
      ...Object.values(kind.derived ?? {}).map((derive) => derive(fields)),
    ],
  });
  if (!row) throw new Error(`A ${name} that was just written is gone`);
  return toStoredRecord(kind, row);
}

/**
 * Looks up the records that a record of the kind is linked to, in the order of the kind's links: of each its ids and what
 * both have to agree on; undefined where there is none.
 */
export function findLinked(
  transaction: SqlTransaction,
  record: RecordToWrite,
): Promise<(RecordFields | undefined)[]> {
  return Promise.all(
    statements[record.name].links.map(async ({ link, find }) => {
      const value = linkValue(link, record);
      if (value === undefined) return undefined;
      const [row] = await transaction.query<Record<string, Column>>({
        ...find,
        values: [record.tenant_id, value],
      });
      return row;
    }),
  );
}

/** The statements of each kind, written from it once. */
const statements = ofEachKind((kind) => ({
  find: findStatement(kind),
  save: saveStatement(kind),
  links: (kind.links ?? []).map((link) => ({ link, find: linkStatement(kind, link) })),
}));

type Prepared = Pick<Statement, 'name' | 'text'>;

function findStatement(kind: RecordKind): Prepared {
  return {
    name: `find_${kind.table}`,
    text: `
      select ${returned(kind)}
      from ${escapeIdentifier(kind.table)}
      where ${equal(['tenant_id', ...kind.keys])}`,
  };
}

function saveStatement(kind: RecordKind): Prepared {
  const keys = ['tenant_id', ...kind.keys].map(escapeIdentifier);
  const columns = [...Object.keys(kind.fields), ...Object.keys(kind.derived ?? {})].map(escapeIdentifier);
  const written = [...keys, ...columns];
  return {
    name: `save_${kind.table}`,
    text: `
      insert into ${escapeIdentifier(kind.table)} (${written.join(', ')})
      values (${written.map((_, index) => `$${index + 1}`).join(', ')})
      on conflict (${keys.join(', ')}) do update
      set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
      returning ${returned(kind)}`,
  };
}

function linkStatement({ name }: RecordKind, link: RecordLink): Prepared {
  const { keys, table } = kindNamed(link.to);
  const columns = 'unique' in link ? keys : link.agree;
  return {
    name: `find_${link.to}_of_${name}`,
    text: `
      select ${columns.map(escapeIdentifier).join(', ')}
      from ${escapeIdentifier(table)}
      where ${equal(['tenant_id', link.by])}`,
  };
}

function returned({ fields }: RecordKind): string {
  const times = Object.keys(fields).filter((field) => fields[field]?.['format'] === 'date-time');
  return [...Object.keys(fields), 'revision', 'updated_at']
    .map((column) => {
      const name = escapeIdentifier(column);
      return [...times, 'updated_at'].includes(column) ? `rfc3339(${name}) as ${name}` : name;
    })
    .join(', ');
}

function equal(columns: readonly string[]): string {
  return columns.map((column, index) => `${escapeIdentifier(column)} = $${index + 1}`).join(' and ');
}

/** The driver would take a list of objects for an array of the database. */
function columnValue(schema: TSchema, value: RecordFields[string]): RecordFields[string] {
  const isJson = TypeGuard.IsArray(schema) && TypeGuard.IsObject(schema.items);
  return isJson && value !== null ? JSON.stringify(value) : value;
}

function keyValues(kind: RecordKind, keys: RecordKeys): string[] {
  return kind.keys.map((key) => {
    const value = keys[key];
    if (value === undefined) throw new Error(`A ${kind.name} has no record without its ${key}`);
    return value;
  });
}

function toStoredRecord(kind: RecordKind, row: RecordRow): StoredRecord {
  const fields = Object.fromEntries(Object.keys(kind.fields).map((field) => [field, row[field] ?? null]));
  return { fields, revision: Number(row.revision), updated_at: row.updated_at };
}
