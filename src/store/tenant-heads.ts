import type { ChainTip } from '../domain/trace-event.js';
import type { Transaction } from './database.js';

/**
 * Locks the head of the tenant's own chain until the transaction ends and returns the chain's tip. Makes the head if the
 * tenant has none yet.
 *
 * Statements that are sent after this one see everything that was committed before the lock was granted.
 */
export async function lockTenantHead(transaction: Transaction, tenantId: string): Promise<ChainTip> {
  const lock = async (): Promise<ChainTip | undefined> => {
    const [row] = await transaction.query<{ trace_sequence: string; trace_sha256: string }>({
      name: 'lock_tenant_head',
      text: 'select trace_sequence, trace_sha256 from tenant_heads where tenant_id = $1 for update',
      values: [tenantId],
    });
    return row && { sequence: Number(row.trace_sequence), sha256: row.trace_sha256 };
  };
  const tip = await lock();
  if (tip) return tip;
  await transaction.query({
    name: 'create_tenant_head',
    text: 'insert into tenant_heads (tenant_id) values ($1) on conflict (tenant_id) do nothing',
    values: [tenantId],
  });
  const created = await lock();
  if (!created) throw new Error('A tenant head that was just made is gone');
  return created;
}

/** Writes the tip of the tenant's own chain back. Only its lock's holder may. */
export async function saveTenantHead(
  transaction: Transaction,
  tenantId: string,
  tip: ChainTip,
): Promise<void> {
  await transaction.query({
    name: 'save_tenant_head',
    text: 'update tenant_heads set trace_sequence = $2, trace_sha256 = $3 where tenant_id = $1',
    values: [tenantId, tip.sequence, tip.sha256],
  });
}
