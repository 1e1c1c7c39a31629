import { Database, type Outcome, type Statement, type Transaction } from '../../src/store/database.js';

/** The service's own store, if its every statement forgot to say which tenant's rows it is about. */
export class CarelessDatabase extends Database {
  /** What was read without a filter since this was last emptied. */
  readonly unfiltered: Statement[] = [];

  override transact<T>(
    tenantId: string,
    work: (transaction: Transaction) => Promise<Outcome<T>>,
  ): Promise<T> {
    return super.transact(tenantId, (transaction) =>
      work({
        query: (statement) => {
          const forgetful = { ...statement, text: withoutFilter(statement.text) };
          if (forgetful.text !== statement.text && /^\s*(?:select|with)\b/.test(statement.text)) {
            this.unfiltered.push(forgetful);
          }
          return transaction.query(forgetful);
        },
      }),
    );
  }
}

/** Still names the parameter, whose type Postgres has to know. */
function withoutFilter(sql: string): string {
  return sql.replaceAll(/\b(?:[a-z_]+\.)?tenant_id = \$1(?!\d)/g, '$1::text is not null');
}
