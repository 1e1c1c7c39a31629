import type { Command } from 'commander';

import { ConfigError, readDatabaseUrl } from '../config.js';

/** `continuity-gate migrate`: the schema by itself, for a role that owns it and that the service does not have. */
export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .summary('bring the database up to the schema of this version')
    .description(
      `Applies the migrations that the database at DATABASE_URL lacks, all in one transaction, as the role that DATABASE_URL names. Safe to run again and from several places at once.

The service does the same when it starts. Run this command first where the service's own role may not change the schema. The embedded database needs none of it.`,
    )
    .addHelpText('after', '\nExit status: 0; 1 when the migrations could not be applied.')
    .action(async (_options: unknown, command: Command) => {
      console.log(await migrateDatabase(command));
    });
}

async function migrateDatabase(command: Command): Promise<string> {
  try {
    const connectionString = readDatabaseUrl();
    const { knownSchemaVersion, migrate } = await import('../store/migrate.js');
    await migrate(connectionString);
    return `The database is at schema version ${await knownSchemaVersion()}.`;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason =
      error instanceof ConfigError ? error.message : `The migrations were not applied: ${reasonOf(error)}`;
    return command.error(reason, { exitCode: 1, code: 'not_migrated' });
  }
}

/** A host with several addresses that all refuse gives one error for each, and no message of its own. */
function reasonOf(error: Error): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [];
  const messages = errors.map((each) => (each instanceof Error ? each.message : String(each)));
  return error.message || messages.join('; ');
}
