import type { ContinuityEnvelope } from '../domain/envelope.js';
import type { Transaction } from './database.js';

/** The versions and the action that a session first sealed an approval under. */
export interface ApprovalBinding {
  policy_version: string;
  capability_version: string;
  action_digest: string;
}

/** What the session first sealed this approval under; undefined if it never did. */
export async function findApprovalBinding(
  transaction: Transaction,
  { tenant_id, session_id, approval_id }: ContinuityEnvelope,
): Promise<ApprovalBinding | undefined> {
  const [row] = await transaction.query<ApprovalBinding>({
    name: 'find_approval_binding',
    text: `
      select policy_version, capability_version, action_digest
      from approval_bindings
      where tenant_id = $1 and session_id = $2 and approval_id = $3`,
    values: [tenant_id, session_id, approval_id],
  });
  return row;
}

/** Remembers what an approval was first sealed under; what stands already stays. */
export async function bindApproval(transaction: Transaction, envelope: ContinuityEnvelope): Promise<void> {
  await transaction.query({
    name: 'bind_approval',
    text: `
      insert into approval_bindings (
        tenant_id, session_id, approval_id, policy_version, capability_version, action_digest, envelope_id
      )
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (tenant_id, session_id, approval_id) do nothing`,
    values: [
      envelope.tenant_id,
      envelope.session_id,
      envelope.approval_id,
      envelope.policy_version,
      envelope.capability_version,
      envelope.action_digest,
      envelope.envelope_id,
    ],
  });
}
