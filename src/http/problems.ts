import type { Fault } from '../domain/format-error.js';
import type { Holder } from '../app/stored.js';

/** Every error code that an answer can carry, its HTTP status, its public title and its meaning. */
export const problems = {
  schema_invalid: {
    status: 400,
    title: 'The request is malformed',
    meaning: 'The request violates its schema; `errors` lists what is wrong.',
  },
  unauthenticated: {
    status: 401,
    title: 'The caller is not known',
    meaning: 'There is no valid token.',
  },
  forbidden: {
    status: 403,
    title: 'The caller may not do this',
    meaning: 'The token does not allow this; or the gate is open, and the host name is not a loopback one.',
  },
  attested_state_refused: {
    status: 403,
    title: 'Attested state is not accepted here',
    meaning: 'The caller may not attest or release state here.',
  },
  envelope_not_found: {
    status: 404,
    title: 'There is no such envelope',
    meaning: 'The tenant has no such envelope.',
  },
  decision_not_found: {
    status: 404,
    title: 'There is no such decision',
    meaning: 'The tenant has no such decision.',
  },
  record_not_found: {
    status: 404,
    title: 'There is no such record',
    meaning: 'The tenant has no such record.',
  },
  route_not_found: {
    status: 404,
    title: 'There is no such route',
    meaning: 'No route has this method and path.',
  },
  envelope_conflict: {
    status: 409,
    title: 'The envelope id stands for another envelope',
    meaning: 'The envelope id was sealed before with other content.',
  },
  record_field_frozen: {
    status: 409,
    title: 'A field of the record never changes',
    meaning: 'The write would change a field that never changes; `current` is the record.',
  },
  status_transition_refused: {
    status: 409,
    title: 'The status can not follow on the present one',
    meaning: 'The new status may not follow on the present one; `current` is the record.',
  },
  expiry_extended: {
    status: 409,
    title: 'An approval only ever expires earlier',
    meaning: 'The write would make an approval expire later; `current` is the record.',
  },
  approval_mismatch: {
    status: 409,
    title: 'The approval and the side effect are about different actions',
    meaning: 'The approval and its side effect name different sessions, capabilities or actions.',
  },
  approval_already_bound: {
    status: 409,
    title: 'The approval is bound to another side effect',
    meaning: 'The approval binds another side effect: one approval, one effect.',
  },
  session_cycle: {
    status: 409,
    title: 'The session would descend from itself',
    meaning: 'The parent or predecessor is the session itself or descends from it.',
  },
  session_has_successor: {
    status: 409,
    title: 'Another session is the successor already',
    meaning: 'The predecessor has another successor: its work is taken over once.',
  },
  event_conflict: {
    status: 409,
    title: 'The event id stands for another event',
    meaning: 'An event of the batch has the id of another event of the log. Nothing was appended.',
  },
  effect_not_unknown: {
    status: 409,
    title: 'The side effect is not unknown',
    meaning: 'Only an unknown effect can be settled; `current` is the record.',
  },
  stale_epoch: {
    status: 409,
    title: 'The session was resumed by someone else',
    meaning: 'The session was resumed since; `held_by` and `held_since` say by whom and when.',
  },
  precondition_failed: {
    status: 412,
    title: 'The record is at another revision',
    meaning: '`If-Match` names another revision; `current` is the record, if there is one.',
  },
  body_too_large: {
    status: 413,
    title: 'The request body is too large',
    meaning: 'The body is larger than 1 MiB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The request body is not plain JSON in UTF-8',
    meaning: 'The body is not uncompressed JSON in UTF-8.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key stands for another request',
    meaning: 'The `Idempotency-Key` was used for another request.',
  },
  too_many_requests: {
    status: 429,
    title: 'The caller asks too often',
    meaning:
      'The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again.',
  },
  internal_error: {
    status: 500,
    title: 'The gate failed',
    meaning: 'A bug. Nothing was decided; treat it as a stop.',
  },
  overloaded: {
    status: 503,
    title: 'The gate has more requests than it can serve',
    meaning: 'Too many requests are waiting. Nothing was decided; try again.',
  },
  identity_provider_unavailable: {
    status: 503,
    title: 'The identity provider does not answer',
    meaning: 'The keys to check the token with cannot be fetched. Nothing was decided; try again.',
  },
  governed_store_unavailable: {
    status: 503,
    title: 'The governed store does not answer',
    meaning: 'The store does not answer in time. Nothing was decided; try again.',
  },
} as const;

export type ProblemCode = keyof typeof problems;

export const problemCodes = Object.keys(problems).filter((code): code is ProblemCode => code in problems);

/** What an error is called as a type of RFC 9457 problem details. */
export function problemType(code: ProblemCode): string {
  return `urn:continuity-gate:problem:${code}`;
}

/** An error answer: thrown by handlers and hooks, and written by the one error handler. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly faults: readonly Fault[];
  /** Members of its own that the answer carries beyond those of every problem. */
  readonly extension: Readonly<Record<string, unknown>>;
  /** Headers that the answer carries beyond those of every problem. */
  readonly headers: Readonly<Record<string, string>>;
  /** The tenant that the caller may touch and was refused in, where one is known. */
  readonly tenantId: string | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    { faults = [], extension = {}, headers = {}, tenantId, cause }: ProblemOptions = {},
  ) {
    super(detail, { cause });
    this.tenantId = tenantId;
    this.code = code;
    this.faults = faults;
    this.extension = extension;
    this.headers = headers;
  }

  get status(): number {
    return problems[this.code].status;
  }
}

export interface ProblemOptions {
  readonly faults?: readonly Fault[];
  readonly extension?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly tenantId?: string | undefined;
  readonly cause?: unknown;
}

/** The body of an error: RFC 9457 problem details. */
export function problemBody(problem: Problem, requestId: string) {
  return {
    type: problemType(problem.code),
    status: problem.status,
    ...membersOf(problem, requestId),
    ...problem.extension,
  };
}

/** The same for `/rehydrate`, where every error is a stop. */
export function stopProblemBody(problem: Problem, requestId: string) {
  return {
    status: 'continuity_validation_failed',
    reason: problem.code,
    authorized: false,
    requires_reauthorization: true,
    ...membersOf(problem, requestId),
    ...problem.extension,
  };
}

function membersOf({ code, message, faults }: Problem, request_id: string) {
  return { title: problems[code].title, detail: message, code, errors: faults, request_id };
}

/**
 * A caller that acts for a session that someone else has resumed is told by whom, and since when. Not at which epoch: whoever
 * was fenced off would go on with that.
 */
export function staleEpoch({ held_by, held_since }: Holder): Problem {
  return new Problem('stale_epoch', problems.stale_epoch.meaning, {
    extension: { held_by, held_since },
  });
}
