import { readdir } from 'node:fs/promises';

import { afterEach, expect, it } from 'vitest';
import { knownSchemaVersion, migrate } from '../../../src/store/migrate.js';
import { createEmptyDatabase, createTestDatabase, query, type TestDatabase } from '../../support/database.js';

const databases: TestDatabase[] = [];

afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop();
});

it('brings an empty database to the schema that the program was written for', async () => {
  const { connectionString } = await empty();

  await migrate(connectionString);

  expect(await appliedVersions(connectionString)).toEqual(await knownVersions());
  expect(await query(connectionString, 'select count(*)::integer as events from trace_events')).toEqual([
    { events: 0 },
  ]);
});

it('finds nothing to do the second time', async () => {
  const { connectionString } = await empty();
  await migrate(connectionString);
  const before = await catalog(connectionString);

  await migrate(connectionString);

  expect(await catalog(connectionString)).toEqual(before);
});

it('runs each migration once when eight replicas start at the same moment', async () => {
  const { connectionString } = await empty();

  await Promise.all(Array.from({ length: 8 }, () => migrate(connectionString)));

  expect(await appliedVersions(connectionString)).toEqual(await knownVersions());
});

it('migrates several databases of one server at the same moment', async () => {
  const several = await Promise.all([empty(), empty(), empty()]);

  await Promise.all(several.map(({ connectionString }) => migrate(connectionString)));

  for (const { connectionString } of several) {
    expect(await appliedVersions(connectionString)).toEqual(await knownVersions());
  }
});

it('makes the same schema as the one that the other tests run on', async () => {
  const { connectionString } = await empty();

  await migrate(connectionString);

  const other = await migrated();
  expect(await catalog(connectionString)).toEqual(await catalog(other.connectionString));
});

it('refuses a database that newer code has migrated, and changes nothing in it', async () => {
  const { connectionString } = await migrated();
  const known = await knownSchemaVersion();
  await query(
    connectionString,
    `insert into schema_versions (version, oldest_program) values (${known + 1}, ${known + 1})`,
  );
  const before = await catalog(connectionString);

  await expect(migrate(connectionString)).rejects.toMatchObject({
    code: 'newer_schema',
    message:
      `The database is at schema version ${known + 1}, and this program knows ${known}: ` +
      'start a newer program.',
  });

  expect(await catalog(connectionString)).toEqual(before);
});

it('works on a database that newer code has migrated, as long as that says so, and changes nothing in it', async () => {
  const { connectionString } = await migrated();
  const known = await knownSchemaVersion();
  await query(
    connectionString,
    `insert into schema_versions (version, oldest_program) values (${known + 1}, ${known})`,
  );
  const before = await catalog(connectionString);

  await migrate(connectionString);

  expect(await catalog(connectionString)).toEqual(before);
});

it('refuses a migration that was edited after it had been applied', async () => {
  const { connectionString } = await migrated();
  await query(connectionString, "update schema_versions set md5 = 'edited' where version = 1");

  await expect(migrate(connectionString)).rejects.toThrow('MD5 checksum failed for migration [1]');
});

it('leaves nothing behind when a migration fails half-way', async () => {
  const { connectionString } = await empty();
  // The first migration makes other tables before it meets this one.
  await query(connectionString, 'create table trace_events ()');

  await expect(migrate(connectionString)).rejects.toMatchObject({ code: '42P07' });

  expect(await query(connectionString, "select to_regclass('session_heads') as made")).toEqual([
    { made: null },
  ]);
});

async function empty(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  databases.push(database);
  return database;
}

async function migrated(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  databases.push(database);
  return database;
}

function appliedVersions(connectionString: string): Promise<unknown[]> {
  return query(
    connectionString,
    'select version::integer from schema_versions where version > 0 order by version',
  );
}

async function knownVersions(): Promise<unknown[]> {
  const files = await readdir(new URL('../../../migrations/', import.meta.url));
  return files
    .map((file) => ({ version: Number.parseInt(file) }))
    .toSorted((one, other) => one.version - other.version);
}

/** What there is in the database: its relations with their columns, constraints, policies, functions and rights. */
function catalog(connectionString: string): Promise<unknown[]> {
  return query(
    connectionString,
    `select 'relation' as kind, format('%s %s %s', oid::regclass, relkind, relacl) as text
       from pg_class where relnamespace = 'public'::regnamespace
     union all
     select 'column', format('%s.%s %s %s', attrelid::regclass, attname, atttypid::regtype, attnotnull)
       from pg_attribute join pg_class on pg_class.oid = attrelid
       where relnamespace = 'public'::regnamespace and attnum > 0
     union all
     select 'constraint', format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
       from pg_constraint where connamespace = 'public'::regnamespace
     union all
     select 'policy', format('%s %s %s %s', tablename, policyname, qual, with_check) from pg_policies
     union all
     select 'trigger', pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     union all
     select 'function', format('%s %s', pg_get_functiondef(oid), proacl)
       from pg_proc where pronamespace = 'public'::regnamespace
     union all
     select 'migration', format('%s %s', version, md5) from schema_versions
     order by 1, 2`,
  );
}
