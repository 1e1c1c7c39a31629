import type { Problem } from './wire.js';

/**
 * Why the gate could not be asked, or its answer could not be believed.
 *
 * - `timeout`, `unreachable`: no answer came;
 * - `unavailable`: the gate, or what stands before it, decided nothing (429 and 5xx);
 * - `malformed_answer`: what came is not an answer that the API document promises;
 * - `foreign_answer`: an answer to another question;
 * - `receipt_refused`: a go whose receipt does not hold;
 * - `epoch_not_kept`: the epoch store failed, so that the session could not be held.
 */
export type Failure =
  | 'timeout'
  | 'unreachable'
  | 'unavailable'
  | 'malformed_answer'
  | 'foreign_answer'
  | 'receipt_refused'
  | 'epoch_not_kept';

/** Nothing is known of what the gate says. Whoever meets it stops. */
export class GateFailureError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, detail: string, cause?: unknown) {
    super(detail, { cause });
    this.name = 'GateFailureError';
    this.failure = failure;
  }
}

/** The gate refused a call by an error of its own. */
export class GateProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.name = 'GateProblemError';
    this.problem = problem;
  }
}
