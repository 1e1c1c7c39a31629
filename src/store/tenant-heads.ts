import type { TenantKey } from '../domain/session-key.js';
import type { ChainTip } from '../domain/trace-event.js';
import type { HeadStatements } from './lock-and-read.js';
import type { SqlTransaction } from './sql.js';

interface TenantHeadRow {
  trace_sequence: string;
  trace_sha256: string;
}

/** The head of the tenant's own chain, to be locked: the chain's tip. */
export function tenantHead({ tenant_id }: TenantKey): HeadStatements<TenantHeadRow, ChainTip> {
  return {
    lock: {
      name: 'lock_tenant_head',
      text: 'select trace_sequence, trace_sha256 from tenant_heads where tenant_id = $1 for update',
      values: [tenant_id],
    },
    create: {
      name: 'create_tenant_head',
      text: 'insert into tenant_heads (tenant_id) values ($1) on conflict (tenant_id) do nothing',
      values: [tenant_id],
    },
    toHead: (row) => ({ sequence: Number(row.trace_sequence), sha256: row.trace_sha256 }),
  };
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
