import { readFile, writeFile } from 'node:fs/promises';

import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Command } from 'commander';

import { runAsOwner } from './owner-command.js';

/** `continuity-gate anchors`: the ends of all chains, kept outside the store, and compared with it later. */
export function addAnchors(program: Command): void {
  const anchors = program
    .command('anchors')
    .summary('keep the ends of all chains outside the store, and compare them with it later')
    .description(
      `A chain of trace events shows every change of what it holds, but not that its end is gone, as after a restore from an older backup. Export its ends to where the store's administrators can't write, and check them against the store when in doubt. Both read the store at DATABASE_URL and change nothing; a role that may read as continuity_gate_reader is enough.`,
    );
  anchors
    .command('export')
    .summary('write the ends of all chains')
    .option('--output <file>', 'where to, instead of stdout')
    .action(async ({ output }: { output?: string }, command: Command) => {
      await runAsOwner(command, 'The anchors could not be read', async (connectionString) => {
        const { exportAnchors } = await import('../store/anchors.js');
        const set = await exportAnchors(connectionString);
        const text = JSON.stringify({ format, ...set }, null, 1);
        if (output === undefined) return text;
        await writeFile(output, `${text}\n`);
        return `${set.anchors.length} anchors written to ${output}.`;
      });
    });
  anchors
    .command('check')
    .summary('compare the store with anchors that were exported before')
    .argument('<file>', 'what `anchors export` has written')
    .addHelpText('after', '\nExit status: 0 when the store still holds all of them; 1 when it does not.')
    .action(async (file: string, _options: unknown, command: Command) => {
      await runAsOwner(command, 'The anchors could not be checked', async (connectionString) => {
        const { brokenAnchors } = await import('../store/anchors.js');
        const { anchors } = Value.Parse(AnchorFile, JSON.parse(await readFile(file, 'utf8')));
        const broken = await brokenAnchors(connectionString, anchors);
        if (broken.length > 0) process.exitCode = 1;
        return JSON.stringify({ checked: anchors.length, broken }, null, 2);
      });
    });
}

const format = 'continuity-anchors/v1';

const AnchorFile = Type.Object(
  {
    format: Type.Literal(format),
    incarnation: Type.String(),
    exported_at: Type.String(),
    anchors: Type.Array(
      Type.Object(
        {
          tenant_id: Type.String(),
          session_id: Type.Union([Type.String(), Type.Null()]),
          sequence: Type.Integer({ minimum: 1 }),
          event_sha256: Type.String(),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
