import type { TenantKey } from '../domain/session-key.js';
import type { ChainTip } from '../domain/trace-event.js';
import type { SqlTransaction } from './sql.js';

/**
 * Locks the head of the tenant's own chain until the transaction ends and returns the chain's tip; undefined if the
 * tenant has none yet.
 *
 * Statements that are sent after this one see everything that was committed before the lock was granted.
 */
export async function lockTenantHead(
  transaction: SqlTransaction,
  { tenant_id }: TenantKey,
): Promise<ChainTip | undefined> {
  const [row] = await transaction.query<{ trace_sequence: string; trace_sha256: string }>({
    name: 'lock_tenant_head',
    text: 'select trace_sequence, trace_sha256 from tenant_heads where tenant_id = $1 for update',
    values: [tenant_id],
  });
  return row && { sequence: Number(row.trace_sequence), sha256: row.trace_sha256 };
}

/** Makes the tenant's head unless it is there already; waits for whoever is making it. */
export async function createTenantHead(transaction: SqlTransaction, { tenant_id }: TenantKey): Promise<void> {
  await transaction.query({
    name: 'create_tenant_head',
    text: 'insert into tenant_heads (tenant_id) values ($1) on conflict (tenant_id) do nothing',
    values: [tenant_id],
  });
}

/** Writes the tip of the tenant's own chain back. Only its lock's holder may. */
export async function saveTenantHead(
  transaction: SqlTransaction,
  { tenant_id }: TenantKey,
  tip: ChainTip,
): Promise<void> {
  await transaction.query({
    name: 'save_tenant_head',
    text: 'update tenant_heads set trace_sequence = $2, trace_sha256 = $3 where tenant_id = $1',
    values: [tenant_id, tip.sequence, tip.sha256],
  });
}
