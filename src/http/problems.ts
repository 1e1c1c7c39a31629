import type { Fault } from '../domain/format-error.js';

/** Every error code that an answer can carry, with its HTTP status and its public title. */
export const problems = {
  schema_invalid: { status: 400, title: 'The request is malformed' },
  unauthenticated: { status: 401, title: 'The caller is not known' },
  forbidden: { status: 403, title: 'The caller may not do this' },
  attested_state_refused: { status: 403, title: 'Attested state is not accepted here' },
  envelope_not_found: { status: 404, title: 'There is no such envelope' },
  decision_not_found: { status: 404, title: 'There is no such decision' },
  record_not_found: { status: 404, title: 'There is no such record' },
  route_not_found: { status: 404, title: 'There is no such route' },
  envelope_conflict: { status: 409, title: 'The envelope id stands for another envelope' },
  record_field_frozen: { status: 409, title: 'A field of the record never changes' },
  status_transition_refused: { status: 409, title: 'The status can not follow on the present one' },
  expiry_extended: { status: 409, title: 'An approval only ever expires earlier' },
  approval_mismatch: { status: 409, title: 'The approval and the side effect are about different actions' },
  approval_already_bound: { status: 409, title: 'The approval is bound to another side effect' },
  event_conflict: { status: 409, title: 'The event id stands for another event' },
  effect_not_unknown: { status: 409, title: 'The side effect is not unknown' },
  stale_epoch: { status: 409, title: 'The session was resumed by someone else' },
  precondition_failed: { status: 412, title: 'The record is at another revision' },
  body_too_large: { status: 413, title: 'The request body is too large' },
  unsupported_media_type: { status: 415, title: 'The request body is not plain JSON in UTF-8' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key stands for another request' },
  internal_error: { status: 500, title: 'The gate failed' },
  overloaded: { status: 503, title: 'The gate has more requests than it can serve' },
  identity_provider_unavailable: { status: 503, title: 'The identity provider does not answer' },
  governed_store_unavailable: { status: 503, title: 'The governed store does not answer' },
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
