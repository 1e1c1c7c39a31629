import { fileURLToPath } from 'node:url';

import pg from 'pg';
import Postgrator from 'postgrator';

import { serviceRole } from './database.js';
import { rightsOf } from './schema-rights.js';

/** Where applied migrations are recorded, with their checksums. */
export const migrationTable = 'schema_migrations';

/** The schema is not the one that this program works on, and the operator has to act. The message says how. */
export class SchemaError extends Error {}

/** The database was migrated by newer code; running older code against it could lose what it doesn't know. */
export class NewerSchemaError extends SchemaError {
  readonly code = 'newer_schema';

  constructor(databaseVersion: number, knownVersion: number) {
    super(
      `The database is at schema version ${databaseVersion}, and this program knows ${knownVersion}: start a newer program.`,
    );
  }
}

/** Migrations are pending, and the role that is connected does not own the schema. */
export class PendingMigrationsError extends SchemaError {
  readonly code = 'pending_migrations';

  constructor(databaseVersion: number, knownVersion: number, role: string) {
    super(
      `The database is at schema version ${databaseVersion}, this program needs ${knownVersion}, and the role "${role}" ` +
        'may not migrate it: run `continuity-gate migrate` as the owner.',
    );
  }
}

/** The connected role neither owns the schema nor may work as the service. */
export class NotAServiceRoleError extends SchemaError {
  readonly code = 'not_a_service_role';

  constructor(role: string) {
    super(
      `The role "${role}" is not a member of ${serviceRole}: run \`grant ${serviceRole} to "${role}"\` as the owner.`,
    );
  }
}

/**
 * Brings a database up to the schema of this program, in one transaction.
 *
 * Safe when several replicas start at once: they take turns, and those that come later find nothing to do. Refuses a
 * database that is newer than the code (`NewerSchemaError`) and an applied migration whose file was edited.
 *
 * A role that does not own the schema changes nothing. For it the call is the question whether the schema is current,
 * and the answer may be `PendingMigrationsError` or `NotAServiceRoleError`.
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
    await migrateOrCheck(client);
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

async function migrateOrCheck(client: pg.Client): Promise<void> {
  const postgrator = new Postgrator({
    driver: 'pg',
    migrationPattern,
    schemaTable: migrationTable,
    validateChecksums: true,
    execQuery: (query) => client.query(query),
  });
  const rights = await rightsOf(client, migrationTable);
  if (rights.serves && !rights.owns) await client.query(`set local role ${serviceRole}`);
  const [databaseVersion, knownVersion] = [await postgrator.getDatabaseVersion(), await knownSchemaVersion()];
  if (databaseVersion > knownVersion) throw new NewerSchemaError(databaseVersion, knownVersion);
  if (rights.owns) {
    await postgrator.migrate();
  } else {
    if (rights.migrated && !rights.serves) throw new NotAServiceRoleError(rights.role);
    if (databaseVersion < knownVersion)
      throw new PendingMigrationsError(databaseVersion, knownVersion, rights.role);
    await postgrator.validateMigrations(databaseVersion);
  }
}

const migrationPattern = fileURLToPath(new URL('../../migrations/*.sql', import.meta.url));
