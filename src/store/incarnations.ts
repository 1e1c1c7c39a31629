import type pg from 'pg';
import { uuidv7 } from 'uuidv7';

import { restoredContent } from '../domain/trace.js';
import { chainEvent, noSubject, type TraceEvent } from '../domain/trace-event.js';

import { asOwner } from './owner.js';

/** How a new life of the store began. */
export interface Restoration {
  readonly incarnation: string;
  /** How many sessions were moved on to a new epoch. */
  readonly sessions: number;
}

/** Who holds every session after a restore: nobody that has resumed it before. */
export const restorer = 'continuity-gate restored';

/**
 * Begins a new life of a store that was restored from a backup, all or nothing: a new incarnation, every session's epoch
 * one higher, and a `store_restored` event for each. Only the owner of the schema may.
 */
export function beginNewLife(connectionString: string): Promise<Restoration> {
  return asOwner(connectionString, async (client) => {
    await client.query('lock table store_incarnations in share row exclusive mode');
    const { rows } = await client.query<{ incarnation: string; now: string; previous: string }>(`
      with previous as (select current_incarnation() as incarnation, max(life) as life from store_incarnations)
      insert into store_incarnations (life)
      select life + 1 from previous
      returning incarnation, rfc3339(began_at) as now, (select incarnation from previous) as previous`);
    const [life] = rows;
    if (!life) throw new Error('No new life of the store began');
    let sessions = 0;
    for (let last: SessionHeadRow | undefined; ;) {
      const heads = await lockHeads(client, last);
      if (heads.length === 0) return { incarnation: life.incarnation, sessions };
      await moveOn(client, heads, life);
      sessions += heads.length;
      last = heads.at(-1);
    }
  });
}

interface Life {
  readonly incarnation: string;
  readonly previous: string;
  readonly now: string;
}

interface SessionHeadRow {
  tenant_id: string;
  session_id: string;
  session_epoch: number;
  trace_sequence: number;
  trace_sha256: string;
}

/** In the order of their keys, as everyone locks several of them. */
async function lockHeads(client: pg.Client, after: SessionHeadRow | undefined): Promise<SessionHeadRow[]> {
  const { rows } = await client.query<SessionHeadRow>({
    text: `
      select
        tenant_id,
        session_id,
        session_epoch::double precision,
        trace_sequence::double precision,
        trace_sha256
      from session_heads
      where $1::text is null or (tenant_id, session_id) > ($1, $2)
      order by tenant_id, session_id
      limit 1000
      for update`,
    values: [after?.tenant_id, after?.session_id],
  });
  return rows;
}

async function moveOn(client: pg.Client, heads: readonly SessionHeadRow[], life: Life): Promise<void> {
  const events = heads.map((head) => eventOf(head, life));
  await client.query({
    text: `
      insert into trace_events (
        event_id, event_type, schema_version, occurred_at, tenant_id, session_id, actor, payload, sequence,
        previous_sha256, event_sha256
      )
      select
        event_id, event_type, schema_version, occurred_at, tenant_id, session_id, actor, payload, sequence,
        previous_sha256, event_sha256
      from json_populate_recordset(null::trace_events, $1::json)`,
    values: [JSON.stringify(events)],
  });
  await client.query({
    text: `
      update session_heads as head
      set
        session_epoch = head.session_epoch + 1,
        held_by = $2,
        held_since = event.occurred_at,
        trace_sequence = event.sequence,
        trace_sha256 = event.event_sha256
      from json_populate_recordset(null::trace_events, $1::json) as event
      where head.tenant_id = event.tenant_id and head.session_id = event.session_id`,
    values: [JSON.stringify(events), restorer],
  });
}

function eventOf(head: SessionHeadRow, { incarnation, previous, now }: Life): TraceEvent {
  return chainEvent(
    {
      ...noSubject,
      ...restoredContent({ incarnation, previous, session_epoch: head.session_epoch + 1 }),
      event_id: uuidv7(),
      occurred_at: now,
      tenant_id: head.tenant_id,
      session_id: head.session_id,
      actor: restorer,
    },
    { sequence: head.trace_sequence, sha256: head.trace_sha256 },
  );
}
