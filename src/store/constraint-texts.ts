import type { ConstraintText } from '../domain/context-view.js';
import type { SessionKey } from '../domain/session-key.js';
import type { Transaction } from './database.js';

/** The texts of the session's constraints that bind, in the order of their references. */
export async function readActiveConstraints(
  transaction: Transaction,
  session: SessionKey,
): Promise<ConstraintText[]> {
  return transaction.query<ConstraintText>({
    name: 'read_active_constraints',
    text: `
      select constraint_ref as ref, text, forbids_capability
      from constraints
      where tenant_id = $1 and session_id = $2 and constraint_status = 'active'
      order by constraint_ref collate "C"`,
    values: [session.tenant_id, session.session_id],
  });
}
