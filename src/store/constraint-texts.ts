import type { SessionKey } from '../domain/session-key.js';
import type { Transaction } from './database.js';

/** What a constraint says: sensitive, and told only in a context view and to who may read records. */
export interface ConstraintText {
  readonly ref: string;
  readonly text: string;
  readonly forbids_capability: string | null;
}

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
