import { ContinuityFormatError, pointerTo, type Fault } from '../format-error.js';

/** Where a value stands in a body: linked, since its name is needed only where something is wrong. */
export interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
  /** Its fields are named as if it were not inside anything. */
  readonly standsAlone: boolean;
}

/** The body itself. */
export const root: Place = { parent: undefined, key: '', standsAlone: true };

/** Where a member or an item stands. */
export function memberOf(parent: Place, key: string | number): Place {
  return { parent, key, standsAlone: false };
}

/** What stands where a value would, had it been one. */
export const faulty = Symbol('faulty');

/** What is wrong with a body, in the order in which it is told; no more than an answer should hold. */
export class Faults {
  readonly #told: Fault[] = [];

  tell(message: string, place: Place, allowed?: readonly string[]): typeof faulty {
    this.#told.push({ pointer: pointerOf(place), message, ...(allowed && { allowed }) });
    if (this.#told.length === mostFaults) this.refuse();
    return faulty;
  }

  /** Tells what is wrong with a field, in the words that all fields share. */
  tellField(rule: string, place: Place): typeof faulty {
    return this.tell(`Continuity field ${rule}: ${nameOf(place)}`, place);
  }

  /** Throws if anything was told. */
  refuse(): void {
    const [first, ...others] = this.#told;
    if (first) throw new ContinuityFormatError(first, ...others);
  }
}

/** What a value is called in operator errors. */
export function nameOf({ parent, key }: Place): string {
  if (parent === undefined) return '';
  const name = parent.standsAlone ? '' : nameOf(parent);
  if (typeof key === 'number') return `${name}[${key}]`;
  return name === '' ? key : `${name}.${key}`;
}

const mostFaults = 100;

function pointerOf({ parent, key }: Place): string {
  return parent === undefined ? '' : pointerTo(pointerOf(parent), key);
}
