#!/usr/bin/env node
import { readFileSync } from 'node:fs';

import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Command, CommanderError } from 'commander';

import { addAnchors } from './anchors.js';
import { addEvals } from './evals.js';
import { addInspectContinuity } from './inspect-continuity.js';
import { addMigrate } from './migrate.js';
import { addOpenapi } from './openapi.js';
import { addRestored } from './restored.js';
import { addRetention } from './retention.js';
import { addToken } from './token.js';

/** For a command line that is wrong or has a malformed value; 1 stands for a command that failed. */
const wrongUsage = 2;

// The reader of the output may close it after the first lines.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await commandLine().parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Not process.exit, which would cut off output that is still on its way into a pipe.
  process.exitCode = exitCodeOf(error);
}

function commandLine(): Command {
  const program = new Command('continuity-gate')
    .description(
      `The tools of the continuity gate, the service that agent runtimes ask before they resume after context compaction, a context reset, process recovery or a role handoff.

To see what the gate decides, without a service or a database, start with:
  continuity-gate inspect-continuity`,
    )
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride();
  addInspectContinuity(program);
  addEvals(program);
  addOpenapi(program);
  addMigrate(program);
  addRetention(program);
  addRestored(program);
  addAnchors(program);
  addToken(program);
  return program;
}

/** Commander ends with 1 whenever it refuses a command line; the commands choose their own codes. */
function exitCodeOf(error: CommanderError): number {
  const refused = error.code.startsWith('commander.') && error.exitCode !== 0;
  return refused ? wrongUsage : error.exitCode;
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return Value.Parse(Type.Object({ version: Type.String() }), manifest).version;
}
