import type { Faults, Place } from './faults.js';

/**
 * How values of a schema are read, made once from the schema.
 *
 * `read` checks the type and gives a new value, or `faulty` once it has told what is wrong; `check` looks at what the
 * value says. They are apart because there are objects whose values are checked only once all of them are there.
 */
export interface Plan {
  readonly read: (value: unknown, place: Place, faults: Faults) => unknown;
  readonly check?: Check;
  /** Whether it is one of a few values; what is, is checked before other values. */
  readonly isChoice?: boolean;
}

export type Check = (value: unknown, place: Place, faults: Faults) => void;
