import type { Command } from 'commander';

import { runAsOwner } from './owner-command.js';

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
      await runAsOwner(command, 'The migrations were not applied', async (connectionString) => {
        const { knownSchemaVersion, migrate } = await import('../store/migrate.js');
        await migrate(connectionString);
        return `The database is at schema version ${await knownSchemaVersion()}.`;
      });
    });
}
