import type pg from 'pg';

import { asOwner } from './owner.js';

/** The end of one chain of trace events at some moment; the tenant's own chain has no session. */
export interface Anchor {
  readonly tenant_id: string;
  readonly session_id: string | null;
  readonly sequence: number;
  readonly event_sha256: string;
}

/** All chains of a store at one moment. */
export interface AnchorSet {
  readonly incarnation: string;
  readonly exported_at: string;
  readonly anchors: readonly Anchor[];
}

/** An anchor that the store no longer holds: the event is gone, or another one stands in its place. */
export interface BrokenAnchor extends Anchor {
  readonly fault: 'missing' | 'changed';
}

/** The ends of all chains, from one snapshot, in the order of their keys. */
export function exportAnchors(connectionString: string): Promise<AnchorSet> {
  return asOwner(connectionString, async (client) => {
    await client.query('set transaction isolation level repeatable read, read only');
    const { rows } = await client.query<{ incarnation: string; exported_at: string }>(
      'select current_incarnation() as incarnation, rfc3339(clock_timestamp()) as exported_at',
    );
    const [moment] = rows;
    if (!moment) throw new Error('The store did not tell its incarnation');
    const { rows: anchors } = await client.query<Anchor>(`
      select tenant_id, session_id, trace_sequence::double precision as sequence, trace_sha256 as event_sha256
      from session_heads
      where trace_sequence > 0
      union all
      select tenant_id, null, trace_sequence::double precision, trace_sha256
      from tenant_heads
      where trace_sequence > 0
      order by tenant_id, session_id nulls first`);
    return { ...moment, anchors };
  });
}

/** How many anchors are looked up at a time. */
const batchSize = 1_000;

/**
 * The anchors that the store no longer holds: it lost the end of a chain, or holds another history. What retention
 * has dropped since is vouched for by the chain's own anchor.
 */
export function brokenAnchors(connectionString: string, anchors: readonly Anchor[]): Promise<BrokenAnchor[]> {
  return asOwner(connectionString, async (client) => {
    const broken: BrokenAnchor[] = [];
    for (let start = 0; start < anchors.length; start += batchSize) {
      broken.push(...(await brokenOf(client, anchors.slice(start, start + batchSize))));
    }
    return broken;
  });
}

async function brokenOf(client: pg.Client, anchors: readonly Anchor[]): Promise<BrokenAnchor[]> {
  const { rows } = await client.query<BrokenAnchor>({
    text: `
      select anchor.*, case when held.event_sha256 is null then 'missing' else 'changed' end as fault
      from json_to_recordset($1::json) as anchor (
        tenant_id text, session_id text, sequence double precision, event_sha256 text
      )
      left join lateral (
        -- Apart, so that both look it up by key.
        select event_sha256
        from trace_events
        where tenant_id = anchor.tenant_id and session_id = anchor.session_id and sequence = anchor.sequence
        union all
        select event_sha256
        from trace_events
        where anchor.session_id is null
          and tenant_id = anchor.tenant_id
          and session_id is null
          and sequence = anchor.sequence
        union all
        -- Retention keeps the last event that it dropped; what came before it is not there to be compared.
        select case when dropped.sequence = anchor.sequence then dropped.event_sha256 else anchor.event_sha256 end
        from (
          select sequence, event_sha256
          from trace_anchors
          where tenant_id = anchor.tenant_id
            and session_id is not distinct from anchor.session_id
            and sequence >= anchor.sequence
          order by sequence
          limit 1
        ) as dropped
        limit 1
      ) as held on true
      where held.event_sha256 is distinct from anchor.event_sha256`,
    values: [JSON.stringify(anchors)],
  });
  return rows;
}
