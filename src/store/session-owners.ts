import type { SessionOwner } from '../app/stored.js';
import type { SessionKey } from '../domain/session-key.js';
import type { SqlTransaction } from './sql.js';

/** Whose a session is; undefined if the gate has never heard of it. */
export async function readSessionOwner(
  transaction: SqlTransaction,
  { tenant_id, session_id }: SessionKey,
): Promise<SessionOwner | undefined> {
  const [row] = await transaction.query<SessionOwner>({
    name: 'read_session_owner',
    text: `
      select sessions.principal_id as recorded, envelope ->> 'principal_id' as sealed, head.has_records
      from session_heads as head
      left join sessions using (tenant_id, session_id)
      left join envelopes
        on envelopes.tenant_id = head.tenant_id and envelopes.envelope_id = head.newest_envelope_id
      where head.tenant_id = $1 and head.session_id = $2`,
    values: [tenant_id, session_id],
  });
  return row;
}
