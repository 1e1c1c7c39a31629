import type pg from 'pg';

/** A statement with its name: Postgres parses and plans it once a connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * One transaction, by its statements. A query is on the wire when `query` returns its promise: statements that don't
 * depend on each other's answers are sent together and cost one round trip.
 */
export interface SqlTransaction {
  query<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]>;
}
