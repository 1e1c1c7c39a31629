import { afterAll, beforeAll, expect, it } from 'vitest';

import { createTestDatabase, query, type TestDatabase } from '../../support/database.js';

/**
 * A store that is spread over several machines by tenant can keep only what each of them can check by itself: every unique
 * index and every foreign key has to hold the tenant.
 */

let store: TestDatabase;

beforeAll(async () => {
  store = await createTestDatabase();
});

afterAll(() => store.drop());

/** Small tables that belong to no tenant: every machine has a whole copy of them. */
const withoutTenant = [
  'living_gates',
  'schema_migrations',
  'schema_versions',
  'status_transitions',
  'store_incarnations',
];

it('every table but those of the store itself has a tenant in every row', async () => {
  const tables = await query(
    store.connectionString,
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and not exists (
         select from pg_attribute
         where attrelid = pg_class.oid and attname = 'tenant_id' and attnotnull and not attisdropped
       )
     order by relname`,
  );

  expect(tables).toEqual(withoutTenant.map((name) => ({ name })));
});

it("every unique index of a tenant's rows holds the tenant", async () => {
  expect(await indexes('')).not.toEqual([]);
  expect(await indexes("and not 'tenant_id' = any(columns)")).toEqual([]);
});

it("every foreign key of a tenant's rows stays with the tenant", async () => {
  expect(await foreignKeys('')).not.toEqual([]);
  expect(await foreignKeys('and not stays')).toEqual([]);
});

function indexes(condition: string): Promise<unknown[]> {
  return query(
    store.connectionString,
    `select index_name from (
       select indexrelid::regclass::text as index_name, indrelid::regclass::text as table_name,
         array(select attname::text from pg_attribute where attrelid = indexrelid) as columns
       from pg_index join pg_class on pg_class.oid = indrelid
       where indisunique and relnamespace = 'public'::regnamespace
     ) as each
     where not table_name = any(array['${withoutTenant.join("', '")}']) ${condition}`,
  );
}

/** Whether the tenant of the row is the tenant of what it refers to; a table that every machine has may be referred to freely. */
function foreignKeys(condition: string): Promise<unknown[]> {
  return query(
    store.connectionString,
    `select name from (
       select conname as name, confrelid::regclass::text as target, exists (
         select from unnest(conkey, confkey) as pair (own, theirs)
         join pg_attribute as mine on mine.attrelid = conrelid and mine.attnum = own
         join pg_attribute as other on other.attrelid = confrelid and other.attnum = theirs
         where mine.attname = 'tenant_id' and other.attname = 'tenant_id'
       ) as stays
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
     ) as each
     where not target = any(array['${withoutTenant.join("', '")}']) ${condition}`,
  );
}
