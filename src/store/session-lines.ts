import type { SessionKey } from '../domain/session-key.js';
import type { SqlTransaction } from './sql.js';

/** Whether the session is one of these or one that they descend from; nobody else in the tenant asks until the transaction ends. */
export async function leadsBack(
  transaction: SqlTransaction,
  { tenant_id, session_id }: SessionKey,
  ancestors: readonly string[],
): Promise<boolean> {
  const [row] = await transaction.query<{ leads_back: boolean }>({
    name: 'line_leads_back',
    text: 'select line_leads_back($1, $2, $3) as leads_back',
    values: [tenant_id, session_id, ancestors],
  });
  return row?.leads_back !== false;
}
