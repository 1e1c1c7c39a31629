import pg from 'pg';

import { KeyTooLongError, RuleBrokenError, StoreUnavailableError } from '../app/store-errors.js';

/** Another transaction was first. Tried again, this one sees what the other did. */
export class LostRaceError extends Error {
  readonly code = 'lost_race';

  constructor(cause: unknown) {
    super('Another transaction was first', { cause });
  }
}

/**
 * What an error of a driver call means. Anything that Postgres itself did not say is a failure of the connection; what
 * Postgres said is told apart by SQLSTATE, and what is left is a bug and stays as it is.
 */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return new StoreUnavailableError(error);
  const sqlState = error.code ?? '';
  if (sqlState === programLimitExceeded) return new KeyTooLongError(error);
  if (lostRaceStates.includes(sqlState)) return new LostRaceError(error);
  if (isAboutRules(sqlState)) return new RuleBrokenError(sqlState, error);
  return unavailableStates.some((prefix) => sqlState.startsWith(prefix))
    ? new StoreUnavailableError(error)
    : error;
}

/**
 * What is left of a transaction that lost every race. One that a rule refused each time didn't lose to anybody: called an
 * outage, it would be repeated for ever, and nobody would look for the bug.
 */
export function lostForGood(error: LostRaceError): RuleBrokenError | StoreUnavailableError {
  const { cause } = error;
  return cause instanceof pg.DatabaseError && isAboutRules(cause.code ?? '')
    ? new RuleBrokenError(cause.code ?? '', cause)
    : new StoreUnavailableError(error);
}

/** Integrity constraints, and the guards that speak like one. */
function isAboutRules(sqlState: string): boolean {
  return sqlState.startsWith('23');
}

const programLimitExceeded = '54000';

/**
 * Serialization failure, deadlock, a unique key that was free when it was looked up, and a record that was not there yet
 * when it was asked what of it may change.
 */
const lostRaceStates = ['40001', '40P01', '23505', '23001'];

/** Connection lost, out of resources, a lock or statement time-out, shutting down, read-only standby. */
const unavailableStates = ['08', '53', '55P03', '57', '25006', '25P03'];
