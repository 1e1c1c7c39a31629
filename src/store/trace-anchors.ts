import type { ChainKey } from '../domain/session-key.js';
import { chainStart, type ChainTip } from '../domain/trace-event.js';
import type { Transaction } from './database.js';

/** Where a chain begins: at its very start, or behind what retention has dropped. */
export async function findAnchor(transaction: Transaction, chain: ChainKey): Promise<ChainTip> {
  const [row] = await transaction.query<{ sequence: string; event_sha256: string }>({
    name: 'find_anchor',
    text: `
      select sequence, event_sha256
      from trace_anchors
      where tenant_id = $1 and session_id is not distinct from $2
      order by sequence desc
      limit 1`,
    values: [chain.tenant_id, chain.session_id],
  });
  return row
    ? { sequence: Number(row.sequence), sha256: row.event_sha256 }
    : { sequence: 0, sha256: chainStart };
}
