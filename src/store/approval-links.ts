import type { Transaction } from './database.js';

/** What an approval and the side effect that rests on it must agree on. */
export interface ActionBinding {
  session_id: string;
  capability_name: string;
  action_digest: string;
}

/** What an approval is bound to; undefined if there is no such approval. */
export async function findBindingOfApproval(
  transaction: Transaction,
  tenantId: string,
  approvalId: string,
): Promise<ActionBinding | undefined> {
  const [row] = await transaction.query<ActionBinding>({
    name: 'find_binding_of_approval',
    text: `
      select session_id, capability_name, action_digest
      from approvals
      where tenant_id = $1 and approval_id = $2`,
    values: [tenantId, approvalId],
  });
  return row;
}

/** The side effect that rests on an approval, and what it is bound to; undefined if none does. */
export async function findEffectOfApproval(
  transaction: Transaction,
  tenantId: string,
  approvalId: string,
): Promise<(ActionBinding & { idempotency_key: string }) | undefined> {
  const [row] = await transaction.query<ActionBinding & { idempotency_key: string }>({
    name: 'find_effect_of_approval',
    text: `
      select idempotency_key, session_id, capability_name, action_digest
      from side_effects
      where tenant_id = $1 and approval_id = $2`,
    values: [tenantId, approvalId],
  });
  return row;
}
