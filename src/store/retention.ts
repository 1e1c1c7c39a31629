import pg from 'pg';

import { asOwner } from './owner.js';

/** A transaction that is still open has read the trace, and nothing is dropped under it. Nothing was changed. */
export class TraceInUseError extends Error {
  readonly code = 'trace_in_use';

  constructor(cause: unknown) {
    super(
      'A transaction that is still open, perhaps of somebody with SQL, has read the trace: end it and start again.',
      {
        cause,
      },
    );
  }
}

/** A month of the trace, and what would go with it. */
export interface TracePartition {
  readonly name: string;
  readonly events: number;
  readonly bytes: number;
}

/**
 * What `dropTracePartitions` would drop, oldest first. Changes nothing, and throws for a moment that it would refuse: an
 * operator who tries a mistyped day is told so before it counts.
 */
export function readDroppablePartitions(
  connectionString: string,
  endedBefore: string,
): Promise<TracePartition[]> {
  return asOwner(connectionString, async (client) => {
    const { rows: refusals } = await client.query<{ this_month: string }>(
      `select to_char(this_month at time zone 'UTC', 'YYYY-MM-DD') as this_month
       from date_trunc('month', clock_timestamp(), 'UTC') as this_month
       where $1::timestamptz > this_month`,
      [endedBefore],
    );
    for (const { this_month } of refusals) {
      throw new Error(`only months that are over can be dropped, and this one began on ${this_month}`);
    }
    const { rows } = await client.query<{ name: string; bytes: string }>(
      `select relname as name, pg_total_relation_size(oid) as bytes
       from pg_inherits
       join pg_class on oid = inhrelid
       where inhparent = 'trace_events'::regclass
         and relname ~ '^trace_events_\\d{4}_\\d{2}$'
         and (to_date(substr(relname, 14), 'YYYY_MM') + interval '1 month') at time zone 'UTC' <= $1::timestamptz
       order by relname`,
      [endedBefore],
    );
    const partitions: TracePartition[] = [];
    for (const { name, bytes } of rows) {
      const counted = await client.query<{ events: string }>(
        `select count(*) as events from ${pg.escapeIdentifier(name)}`,
      );
      partitions.push({ name, bytes: Number(bytes), events: Number(counted.rows[0]?.events) });
    }
    return partitions;
  });
}

/**
 * Drops the trace partitions that ended before a moment, and anchors every chain that they held a part of, all in one
 * transaction. Returns the names of what was dropped, oldest first. Only the owner of the schema may. While it waits for
 * those who are reading the trace nobody can write to it, so that it gives up soon, with `TraceInUseError`.
 */
export async function dropTracePartitions(connectionString: string, endedBefore: string): Promise<string[]> {
  try {
    return await drop(connectionString, endedBefore);
  } catch (error) {
    throw error instanceof pg.DatabaseError && error.code === '55P03' ? new TraceInUseError(error) : error;
  }
}

function drop(connectionString: string, endedBefore: string): Promise<string[]> {
  return asOwner(connectionString, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select name from drop_trace_partitions(ended_before => $1::timestamptz) as dropped (name)',
      [endedBefore],
    );
    return rows.map(({ name }) => name);
  });
}
