import { fileURLToPath } from 'node:url';

import pg from 'pg';
import Postgrator from 'postgrator';

/** Where applied migrations are recorded, with their checksums. */
export const migrationTable = 'schema_migrations';

/** The database was migrated by newer code; running older code against it could lose what it doesn't know. */
export class NewerSchemaError extends Error {
  readonly code = 'newer_schema';

  constructor(databaseVersion: number, knownVersion: number) {
    super(
      `The database is at schema version ${databaseVersion}, and this program knows ${knownVersion}: start a newer program.`,
    );
  }
}

/**
 * Brings a database up to the schema of this program, in one transaction.
 *
 * Safe when several replicas start at once: they take turns, and those that come later find nothing to do. Refuses a
 * database that is newer than the code (`NewerSchemaError`) and an applied migration whose file was edited.
 */
export async function migrate(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  // Without a listener a connection that breaks while idle would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local lock_timeout = 60000');
    await client.query('select pg_advisory_xact_lock(hashtext($1))', ['continuity-gate migrations']);
    await applyMigrations(client);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** The schema version that this program was written for. */
export async function knownSchemaVersion(): Promise<number> {
  const migrations = await new Postgrator({ driver: 'pg', migrationPattern }).getMigrations();
  return Math.max(...migrations.map(({ version }) => version));
}

async function applyMigrations(client: pg.Client): Promise<void> {
  const postgrator = new Postgrator({
    driver: 'pg',
    migrationPattern,
    schemaTable: migrationTable,
    validateChecksums: true,
    execQuery: (query) => client.query(query),
  });
  const [databaseVersion, knownVersion] = [await postgrator.getDatabaseVersion(), await knownSchemaVersion()];
  if (databaseVersion > knownVersion) throw new NewerSchemaError(databaseVersion, knownVersion);
  await postgrator.migrate();
}

const migrationPattern = fileURLToPath(new URL('../../migrations/*.sql', import.meta.url));
