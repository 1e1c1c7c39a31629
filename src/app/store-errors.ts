/** The store did not answer, or not in time. Nothing was decided; the caller may try again. */
export class StoreUnavailableError extends Error {
  readonly code = 'governed_store_unavailable';

  constructor(cause: unknown) {
    super('The governed store did not answer in time', { cause });
  }
}

/**
 * What the gate wrote breaks a rule that the store holds by itself, and did so again when it was tried again: nobody else
 * was first. That is a bug of the gate, or somebody changed the store behind its back, and no outage. Nothing was changed.
 */
export class RuleBrokenError extends Error {
  readonly code = 'store_rule_broken';

  /** The store's own word for the kind of rule, one of a closed list; on Postgres the SQLSTATE. */
  readonly rule: string;

  constructor(rule: string, cause: unknown) {
    super('The governed store refused what the gate wrote', { cause });
    this.rule = rule;
  }
}

/** More requests wait for the store than it can serve in time. */
export class OverloadedError extends Error {
  readonly code = 'overloaded';

  constructor() {
    super('Too many requests wait for the governed store');
  }
}

/** Identifiers that are each within their limit, but together longer than a key of the store can be. */
export class KeyTooLongError extends Error {
  readonly code = 'key_too_long';

  constructor(cause: unknown) {
    super('The identifiers are too long together', { cause });
  }
}
