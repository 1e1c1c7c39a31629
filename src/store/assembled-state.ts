import type { AssembledState } from '../app/stored.js';
import type { SessionKey } from '../domain/session-key.js';
import type { SqlTransaction } from './sql.js';

/**
 * Assembles the current control state of a session from its records, by its current idempotency key; undefined if there
 * is no record of the session.
 */
export async function readAssembledState(
  transaction: SqlTransaction,
  session: SessionKey,
): Promise<AssembledState | undefined> {
  const [row] = await transaction.query<AssembledState>({
    name: 'read_assembled_state',
    text: `
      select
        sessions.tenant_id,
        sessions.principal_id,
        sessions.authorization_mode,
        sessions.delegated_principal_id,
        sessions.delegated_scope,
        policies.policy_version,
        side_effects.capability_name,
        capabilities.capability_version,
        side_effects.approval_id,
        side_effects.action_digest,
        approvals.approval_status,
        sessions.idempotency_key,
        side_effects.side_effect_status,
        sessions.checkpoint_ref
      from sessions
      left join policies using (tenant_id)
      left join side_effects using (tenant_id, idempotency_key)
      left join approvals on approvals.tenant_id = $1 and approvals.approval_id = side_effects.approval_id
      left join capabilities
        on capabilities.tenant_id = $1 and capabilities.capability_name = side_effects.capability_name
      where sessions.tenant_id = $1 and sessions.session_id = $2`,
    values: [session.tenant_id, session.session_id],
  });
  return row;
}
