import type pg from 'pg';

import { serviceRole } from './database-settings.js';

/** What the connected role may do in the database that it is connected to. */
export interface SchemaRights {
  readonly role: string;
  /** There is a schema at all. */
  readonly migrated: boolean;
  /** Change the schema: it owns the table of migrations or, before there is one, may create it. */
  readonly owns: boolean;
  /** Work as the service, whether it inherits that role's rights or not. */
  readonly serves: boolean;
}

export async function rightsOf(client: pg.Client, migrationTable: string): Promise<SchemaRights> {
  const { rows } = await client.query<SchemaRights>({
    text: `
      select
        current_user as role,
        history.oid is not null as migrated,
        coalesce(
          pg_has_role(history.relowner, 'usage'),
          has_schema_privilege(current_schema(), 'create'),
          false
        ) as owns,
        coalesce(pg_has_role(to_regrole($2)::oid, 'set'), false) as serves
      from (select to_regclass($1)::oid as oid) as wanted
      left join pg_class as history on history.oid = wanted.oid`,
    values: [migrationTable, serviceRole],
  });
  const [rights] = rows;
  if (!rights) throw new Error('The query for the rights of the role gave no row');
  return rights;
}
