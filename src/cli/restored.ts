import type { Command } from 'commander';

import { runAsOwner } from './owner-command.js';

/** `continuity-gate restored`: what an operator runs after a backup was put back. */
export function addRestored(program: Command): void {
  program
    .command('restored')
    .summary('begin a new life of a store that was restored from a backup')
    .description(
      `Run it once after a restore and before any gate serves, as the owner of the schema at DATABASE_URL. A restored store gives out epochs and sequences that it has given out before. This begins a new incarnation of the store, raises every session's epoch by one, and leaves a store_restored event for each: receipts and epochs of the earlier life are refused from then on, and every run has to ask again.

To see what a restore has lost, compare the store with anchors that were exported before: continuity-gate anchors check.`,
    )
    .addHelpText('after', '\nExit status: 0; 1 when nothing was changed for a failure.')
    .action(async (_options: unknown, command: Command) => {
      await runAsOwner(command, 'Nothing was changed', async (connectionString) => {
        const { beginNewLife } = await import('../store/incarnations.js');
        const { incarnation, sessions } = await beginNewLife(connectionString);
        return `Incarnation ${incarnation}: ${sessions} sessions moved on to a new epoch.`;
      });
    });
}
