import { Client, type QueryResultRow } from 'pg';

/** A connection that works as a role of the store, without any code of the service. */
export interface DatabaseRole {
  query<Row extends QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The rows of one statement in a transaction that speaks for the tenant. */
  queryFor<Row extends QueryResultRow>(tenantId: string, sql: string): Promise<Row[]>;
  close(): Promise<void>;
}

export type ServiceRole = DatabaseRole;

/** As the service does. */
export function connectAsService(connectionString: string): Promise<DatabaseRole> {
  return connectAs('continuity_gate_service', connectionString);
}

export async function connectAs(role: string, connectionString: string): Promise<DatabaseRole> {
  const client = new Client({ connectionString, options: `-c role=${role}` });
  await client.connect();
  const query = async <Row extends QueryResultRow>(sql: string, values: readonly unknown[] = []) =>
    (await client.query<Row>(sql, [...values])).rows;
  return {
    query,
    queryFor: async <Row extends QueryResultRow>(tenantId: string, sql: string) => {
      await query('begin');
      try {
        await query(`select set_config('continuity.tenant_id', $1, true)`, [tenantId]);
        const rows = await query<Row>(sql);
        await query('commit');
        return rows;
      } catch (error) {
        await query('rollback');
        throw error;
      }
    },
    close: () => client.end(),
  };
}
