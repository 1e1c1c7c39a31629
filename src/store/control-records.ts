import { TypeGuard, type TSchema } from '@sinclair/typebox';
import { escapeIdentifier } from 'pg';

import { kindNamed, ofEachKind, recordKinds, type RecordKindName } from '../domain/record-kinds.js';
import { linkValue, type WrittenRecord } from '../domain/record-links.js';
import type { RecordFields, RecordKeys, RecordKind, RecordLink } from '../domain/records/record-kind.js';
import type { Transaction } from './database.js';

/** A record as it is stored. */
export interface StoredRecord {
  readonly fields: RecordFields;
  readonly revision: number;
  /** RFC 3339 in UTC with six fraction digits. */
  readonly updated_at: string;
}

type Column = Exclude<RecordFields[string], undefined>;

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
  const [row] = await transaction.query<RecordRow>({
    ...statements[name].save,
    values: [
      tenantId,
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
  transaction: Transaction,
  name: RecordKindName,
  tenantId: string,
  record: WrittenRecord,
): Promise<(RecordFields | undefined)[]> {
  return Promise.all(
    statements[name].links.map(async ({ link, find }) => {
      const value = linkValue(link, record);
      if (value === undefined) return undefined;
      const [row] = await transaction.query<Record<string, Column>>({ ...find, values: [tenantId, value] });
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

interface Statement {
  readonly name: string;
  readonly text: string;
}

function findStatement(kind: RecordKind): Statement {
  return {
    name: `find_${kind.table}`,
    text: `
      select ${returned(kind)}
      from ${escapeIdentifier(kind.table)}
      where ${equal(['tenant_id', ...kind.keys])}`,
  };
}

function saveStatement(kind: RecordKind): Statement {
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

function linkStatement({ name }: RecordKind, link: RecordLink): Statement {
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
