import type { Command } from 'commander';

import { ConfigError, readDatabaseUrl } from '../config.js';

/**
 * Runs what only the owner of the schema may do, with the role that DATABASE_URL names, and prints its last word. What
 * goes wrong ends the command with status 1 and a sentence that begins with `failure`.
 */
export async function runAsOwner(
  command: Command,
  failure: string,
  work: (connectionString: string) => Promise<string>,
): Promise<void> {
  try {
    console.log(await work(readDatabaseUrl()));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason = error instanceof ConfigError ? error.message : `${failure}: ${reasonOf(error)}`;
    command.error(reason, { exitCode: 1, code: 'owner_command_failed' });
  }
}

/** A host with several addresses that all refuse gives one error for each, and no message of its own. */
function reasonOf(error: Error): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [];
  const messages = errors.map((each) => (each instanceof Error ? each.message : String(each)));
  return error.message || messages.join('; ');
}
