import { InvalidArgumentError, type Command } from 'commander';

import { parseTimestamp } from '../domain/time.js';
import type { TracePartition } from '../store/retention.js';
import { runAsOwner } from './owner-command.js';

/** `continuity-gate retention`: drops old trace events, whole months at a time. */
export function addRetention(program: Command): void {
  program
    .command('retention')
    .summary('drop the trace events of months that ended before a day')
    .description(
      `Drops the monthly partitions of trace_events that ended before the given day, in UTC, as the owner of the schema at DATABASE_URL. The last dropped event of every chain is kept as an anchor, so that what is left can still be verified. The service itself never deletes evidence.

Without --yes it says what would go, with its events and its bytes, and drops nothing.

Every month that ends on or before the day goes: --before 2026-03-15 drops February 2026 and what came before. A day after the first of the current month is refused, since nobody means to drop what is still being written.`,
    )
    .requiredOption('--before <day>', 'day as YYYY-MM-DD, in UTC', dayStart)
    .option('--dry-run', 'say what would be dropped, and drop nothing')
    .option('--yes', 'drop it')
    .addHelpText(
      'after',
      '\nExit status: 0; 1 when nothing was dropped, after a failure or without --yes; 2 for a malformed day.',
    )
    .action(async ({ before, dryRun, yes }: Options, command: Command) => {
      await runAsOwner(command, 'Nothing was dropped', async (connectionString) => {
        const { dropTracePartitions, readDroppablePartitions } = await import('../store/retention.js');
        const droppable = await readDroppablePartitions(connectionString, before);
        if (droppable.length === 0) return 'There was no partition to drop.';
        const list = droppable.map(describe).join('\n');
        if (dryRun) return `Would be dropped and anchored:\n${list}`;
        if (!yes) throw new Error(`say --yes to drop and anchor\n${list}`);
        const dropped = await dropTracePartitions(connectionString, before);
        return `Dropped and anchored: ${dropped.join(', ')}.`;
      });
    });
}

interface Options {
  readonly before: string;
  readonly dryRun?: true;
  readonly yes?: true;
}

function describe({ name, events, bytes }: TracePartition): string {
  return `  ${name}: ${events} events, ${bytes} bytes`;
}

function dayStart(day: string): string {
  const start = `${day}T00:00:00Z`;
  if (typeof parseTimestamp(start) !== 'bigint') throw new InvalidArgumentError('A day is YYYY-MM-DD.');
  return start;
}
