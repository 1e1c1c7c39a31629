import { fileURLToPath } from 'node:url';

import pg from 'pg';
import Postgrator from 'postgrator';

import { serviceRole, unfitness } from './database-settings.js';
import { rightsOf } from './schema-rights.js';

/**
 * Where applied migrations are recorded, with their checksums, each with the schema version of the oldest program that
 * still works on the result (`oldest_program`): replicas of an older release serve on while newer ones migrate.
 *
 * The default of that column is the declaration. A migration that older programs can't live with raises it.
 */
export const migrationTable = 'schema_versions';

/**
 * Where 0.1.0 recorded its migrations. It looks nowhere else, and calls itself ready only if its own last one is the
 * last of this table: the migrations that came later are not told here.
 */
const firstTable = 'schema_migrations';
const lastOfFirstTable = 5;

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

/** The database as it is set up would not hold what it is given. */
export class UnfitDatabaseError extends SchemaError {
  readonly code = 'unfit_database';
}

/** Somebody is using what a migration changes, and for long. Nothing was changed. */
export class SchemaInUseError extends SchemaError {
  readonly code = 'schema_in_use';

  constructor(cause: unknown) {
    super(
      'A transaction that is still open, perhaps of somebody with SQL, uses what is to be migrated: end it and start again.',
      { cause },
    );
  }
}

/** How long one waits for those that came first, and for a table that is to be changed: meanwhile nobody else gets at it. */
const turnTimeoutMs = 60_000;
const tableTimeoutMs = 4_000;

/**
 * Brings a database up to the schema of this program, in one transaction.
 *
 * Safe when several replicas start at once: they take turns, and those that come later find nothing to do. A database
 * that newer code has migrated is left as it is, and refused (`NewerSchemaError`) if it no longer supports this program.
 * Refuses an applied migration whose file was edited.
 *
 * A database that is unfit for the store by its encoding or its settings is refused (`UnfitDatabaseError`).
 *
 * A role that does not own the schema changes nothing. For it the call is the question whether the schema is current,
 * and the answer may be `PendingMigrationsError` or `NotAServiceRoleError`.
 */
export async function migrate(connectionString: string): Promise<void> {
  try {
    await migrateInTurn(connectionString);
  } catch (error) {
    if (!wasMadeMeanwhile(error)) throw error;
    await migrateInTurn(connectionString);
  }
}

async function migrateInTurn(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  // Without a listener a connection that breaks while idle would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const fault = await unfitness(client);
    if (fault !== undefined) throw new UnfitDatabaseError(fault);
    await client.query('begin');
    await client.query(`set local lock_timeout = ${turnTimeoutMs}`);
    await migrateOrCheck(client);
    await client.query('commit');
  } catch (error) {
    throw isSqlState(error, lockNotAvailable) ? new SchemaInUseError(error) : error;
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
  const rights = await rightsOf(client, migrationTable);
  if (rights.serves && !rights.owns) await client.query(`set local role ${serviceRole}`);
  if (rights.owns) {
    await takeTurn(client);
    await client.query(`set local lock_timeout = ${tableTimeoutMs}`);
    await applyFirstMigrations(client);
  }
  const postgrator = migrationsOf(client, migrationTable);
  const [databaseVersion, knownVersion] = [await postgrator.getDatabaseVersion(), await knownSchemaVersion()];
  if (databaseVersion > knownVersion) {
    if (!(await stillSupports(client, knownVersion)))
      throw new NewerSchemaError(databaseVersion, knownVersion);
    await postgrator.validateMigrations(knownVersion);
  } else if (rights.owns) {
    await postgrator.migrate();
  } else {
    if (rights.migrated && !rights.serves) throw new NotAServiceRoleError(rights.role);
    if (databaseVersion < knownVersion)
      throw new PendingMigrationsError(databaseVersion, knownVersion, rights.role);
    await postgrator.validateMigrations(databaseVersion);
  }
}

/**
 * Waits for whoever else migrates. The lock is one that takes more than the right to read; while there is nothing to lock
 * yet, the turn goes to whoever makes the table.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ made: boolean }>({
    text: 'select to_regclass($1) is not null as made',
    values: [firstTable],
  });
  if (rows[0]?.made) await client.query(`lock table ${firstTable} in share row exclusive mode`);
}

/** Somebody else made the first table between the question whether it is there and its making. */
function wasMadeMeanwhile(error: unknown): boolean {
  return isSqlState(error, duplicateTable) || isSqlState(error, uniqueViolation);
}

function isSqlState(error: unknown, sqlState: string): boolean {
  return error instanceof pg.DatabaseError && error.code === sqlState;
}

const duplicateTable = '42P07';
const uniqueViolation = '23505';
const lockNotAvailable = '55P03';

/** The migrations of 0.1.0, recorded where that release looks for them, and carried over to where all are recorded. */
async function applyFirstMigrations(client: pg.Client): Promise<void> {
  await migrationsOf(client, firstTable).migrate(String(lastOfFirstTable));
  await client.query(`
    create table if not exists ${migrationTable} (
      like ${firstTable} including all,
      oldest_program integer not null default ${lastOfFirstTable}
    )`);
  await client.query(`
    insert into ${migrationTable} (version, name, md5, run_at)
    select version, name, md5, run_at from ${firstTable}
    on conflict (version) do nothing`);
  await client.query(`grant select on ${migrationTable} to ${serviceRole}, continuity_gate_reader`);
}

async function stillSupports(client: pg.Client, knownVersion: number): Promise<boolean> {
  const { rows } = await client.query<{ supports: boolean }>({
    text: `select max(oldest_program) <= $1 as supports from ${migrationTable}`,
    values: [knownVersion],
  });
  return rows[0]?.supports ?? false;
}

function migrationsOf(client: pg.Client, schemaTable: string): Postgrator {
  return new Postgrator({
    driver: 'pg',
    migrationPattern,
    schemaTable,
    validateChecksums: true,
    execQuery: (query) => client.query(query),
  });
}

const migrationPattern = fileURLToPath(new URL('../../migrations/*.sql', import.meta.url));
