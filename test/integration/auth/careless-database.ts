import type { Outcome } from '../../../src/app/store.js';
import { Database } from '../../../src/store/database.js';
import type { SqlTransaction, Statement } from '../../../src/store/sql.js';

/** The service's own store, if its every statement forgot to say which tenant's rows it is about. */
export class CarelessDatabase extends Database {
  /** What was read without a filter since this was last emptied. */
  readonly unfiltered: Statement[] = [];

  override transactSql<T>(
    tenantId: string | null,
    work: (transaction: SqlTransaction) => Promise<Outcome<T>>,
  ): Promise<T> {
    return super.transactSql(tenantId, (transaction) =>
      work({
        query: (statement) => {
          const forgetful = { ...statement, text: careless(withoutFilter(statement.text)) };
          if (forgetful.text !== statement.text && /^\s*(?:select|with)\b/.test(statement.text)) {
            this.unfiltered.push(forgetful);
          }
          return transaction.query(forgetful);
        },
      }),
    );
  }
}

/** Some of what is read for a decision is read by functions; `makeCareless` has put others beside them that forget theirs. */
function careless(sql: string): string {
  return sql.replaceAll(
    /\b(sealed_envelope|first_approval_bindings|session_events_behind)\(/g,
    'careless_$1(',
  );
}

/** Makes the functions that forget their filters, by what the store's own ones say. */
export async function makeCareless(
  asOwner: (sql: string) => Promise<{ name?: string; definition?: string }[]>,
): Promise<void> {
  const reading = await asOwner(
    `select proname as name, pg_get_functiondef(oid) as definition from pg_proc
     where pronamespace = 'public'::regnamespace and provolatile = 's' and prosrc ~ 'the_tenant'`,
  );
  const calls = new RegExp(`\\b(${reading.map(({ name }) => name).join('|')})\\(`, 'g');
  // Which of them calls which is not told: none is looked up before it is called.
  for (const { definition = '' } of reading) {
    const forgetful = definition
      .replaceAll(calls, 'careless_$1(')
      .replaceAll(/\b[a-z]+\.tenant_id = the_tenant\b/g, 'true');
    if (forgetful.includes('= the_tenant')) throw new Error('A filter is left');
    await asOwner(forgetful);
  }
}

/** Still names the parameter, whose type Postgres has to know. */
function withoutFilter(sql: string): string {
  return sql
    .replaceAll(/(?<![\w"])(?:[a-z_]+\.)?"?tenant_id"? = \$1(?!\d)/g, '$1::text is not null')
    .replaceAll(/\b[a-z_]+\.tenant_id = asked\.tenant_id\b/g, 'true');
}
