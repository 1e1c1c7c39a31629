/** Something that is wrong with a request. */
export interface Fault {
  /**
   * RFC 6901 JSON pointer, from the root of the request body, to the value at fault; for an absent field, to where it
   * should stand.
   */
  readonly pointer: string;
  /** What is wrong there: for a control artifact the operator error to the letter. */
  readonly message: string;
  /** The values that an enumeration has. */
  readonly allowed?: readonly string[];
}

/** Malformed control artifacts, each fault told as one of the stable operator errors; the first one speaks for all. */
export class ContinuityFormatError extends Error {
  override readonly name = 'ContinuityFormatError';
  readonly faults: readonly [Fault, ...Fault[]];

  constructor(first: Fault, ...others: Fault[]) {
    super(first.message);
    this.faults = [first, ...others];
  }
}

/** A piece of the caller's text fit for an error message: well-formed, and too short to flood a log. */
export function echo(text: string): string {
  const prefix = text.slice(0, 2 * echoedCodePoints).toWellFormed();
  return Array.from(prefix).slice(0, echoedCodePoints).join('');
}

/** Appends one member name or array index to a JSON pointer. */
export function pointerTo(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

const echoedCodePoints = 512;
