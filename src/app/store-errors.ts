/** The store did not answer, or not in time. Nothing was decided; the caller may try again. */
export class StoreUnavailableError extends Error {
  readonly code = 'governed_store_unavailable';

  constructor(cause: unknown) {
    super('The governed store did not answer in time', { cause });
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
