import { afterAll, beforeAll, expect, it } from 'vitest';

import { createTestDatabase, query, type TestDatabase } from '../../support/database.js';

let store: TestDatabase;

beforeAll(async () => {
  store = await createTestDatabase();
});

afterAll(() => store.drop());

/** What the migrations add up to: one line for each column, constraint, index, trigger, policy, grant and function. */
const schema = `
  select line from (
    select format('column %s.%s %s%s', table_name, column_name, data_type, case is_nullable when 'NO' then ' not null' else '' end) as line
    from information_schema.columns where table_schema = 'public'
    union all
    select format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0
    union all
    select format('index %s', indexdef) from pg_indexes where schemaname = 'public'
    union all
    select format('trigger %s', pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
    union all
    select format('policy %s.%s to %s using %s check %s', tablename, policyname, roles, qual, with_check)
    from pg_policies where schemaname = 'public'
    union all
    select format('grant %s on %s to %s', privilege_type, table_name, grantee)
    from information_schema.role_table_grants where table_schema = 'public' and grantee like 'continuity_gate_%'
    union all
    -- Column by column, where not the whole table is granted.
    select format('grant %s (%s) on %s to %s', privilege_type, column_name, table_name, grantee)
    from information_schema.role_column_grants as granted
    where table_schema = 'public' and grantee like 'continuity_gate_%' and not exists (
      select from information_schema.role_table_grants as whole
      where (whole.table_schema, whole.table_name, whole.grantee, whole.privilege_type)
        = (granted.table_schema, granted.table_name, granted.grantee, granted.privilege_type)
    )
    union all
    select format('function %s %s', proname, md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select format('view %s %s', viewname, md5(definition)) from pg_views where schemaname = 'public'
  ) as lines
  -- Partitions are named after the month in which they are made.
  where line !~ 'trace_events_\\d{4}_\\d{2}'
  order by line collate "C"`;

it('adds up to the committed schema: a migration that changes more than it should shows in review', async () => {
  const rows = (await query(store.connectionString, schema)) as { line: string }[];
  const lines = rows.map(({ line }) => line);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../fixtures/schema.txt');
});
