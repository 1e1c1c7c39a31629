import type { SessionKey } from '../domain/session-key.js';
import { chainStart } from '../domain/trace-event.js';
import type { ChainBounds } from '../domain/verify-chain.js';
import type { SqlTransaction } from './sql.js';

interface ChainBoundsRow {
  trace_sequence: string;
  trace_sha256: string;
  anchor_sequence: string | null;
  anchor_sha256: string | null;
  last_sequence: string | null;
}

/**
 * Where a session's chain begins and ends, by its head, by its events and by what retention has kept of it; undefined if
 * the gate has never heard of the session. One statement and no lock: an event and its head are seen both or neither.
 */
export async function readChainBounds(
  transaction: SqlTransaction,
  session: SessionKey,
): Promise<ChainBounds | undefined> {
  const [row] = await transaction.query<ChainBoundsRow>({
    name: 'read_chain_bounds',
    text: `
      select
        trace_sequence,
        trace_sha256,
        anchor.sequence as anchor_sequence,
        anchor.event_sha256 as anchor_sha256,
        (
          select max(sequence)
          from trace_events
          where tenant_id = $1 and session_id = $2
        ) as last_sequence
      from session_heads
      left join lateral (
        select sequence, event_sha256
        from trace_anchors
        where tenant_id = $1 and session_id = $2
        order by sequence desc
        limit 1
      ) as anchor on true
      where tenant_id = $1 and session_id = $2`,
    values: [session.tenant_id, session.session_id],
  });
  return row && toChainBounds(row);
}

function toChainBounds(row: ChainBoundsRow): ChainBounds {
  return {
    recorded: { sequence: Number(row.trace_sequence), sha256: row.trace_sha256 },
    anchor: { sequence: Number(row.anchor_sequence ?? 0), sha256: row.anchor_sha256 ?? chainStart },
    last_sequence: row.last_sequence === null ? null : Number(row.last_sequence),
  };
}
