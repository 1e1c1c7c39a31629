import { Temporal } from 'temporal-polyfill';

/** A moment in microseconds since the Unix epoch: the resolution that the contract promises and that Postgres keeps. */
export type Instant = bigint;

/**
 * Reads an RFC 3339 date-time: upper-case `T` and `Z`, an offset, at most six fraction digits, all of which are kept.
 *
 * A day, hour or second that does not exist is `invalid`, and so are `:60`, `24:00`, and what falls outside the years
 * 1 to 9999 in UTC, since it could not be written down again. A date-time that lacks only its offset is `no_offset`.
 */
export function parseTimestamp(text: string): Instant | 'invalid' | 'no_offset' {
  const match = dateTime.exec(text);
  if (match === null) return 'invalid';
  const hasOffset = match[1] !== undefined;
  const instant = toInstant(hasOffset ? text : `${text}Z`);
  if (instant === undefined) return 'invalid';
  return hasOffset ? instant : 'no_offset';
}

/** The moment of a date-time that has been checked already. */
export function readInstant(text: string): Instant {
  const instant = parseTimestamp(text);
  if (typeof instant === 'string') throw new RangeError('Not a date-time with an offset');
  return instant;
}

/** Writes an instant of the years 1 to 9999 as RFC 3339 in UTC, always with six fraction digits. */
export function formatTimestamp(instant: Instant): string {
  return Temporal.Instant.fromEpochNanoseconds(instant * nanosecondsPerMicrosecond).toString({
    fractionalSecondDigits: 6,
  });
}

const hour = '(?:[01]\\d|2[0-3])';
const sixty = '[0-5]\\d';

/** The shape alone; whether the day exists in its month is the calendar's to say. */
const dateTime = new RegExp(
  `^\\d{4}-\\d{2}-\\d{2}T${hour}:${sixty}:${sixty}(?:\\.\\d{1,6})?(Z|[+-]${hour}:${sixty})?$`,
);

const nanosecondsPerMicrosecond = 1_000n;
const firstInstant = microsecondsAt('0001-01-01T00:00:00Z');
const lastInstant = microsecondsAt('9999-12-31T23:59:59.999999Z');

function toInstant(text: string): Instant | undefined {
  try {
    const instant = microsecondsAt(text);
    return instant >= firstInstant && instant <= lastInstant ? instant : undefined;
  } catch {
    return undefined;
  }
}

function microsecondsAt(text: string): Instant {
  return Temporal.Instant.from(text).epochNanoseconds / nanosecondsPerMicrosecond;
}
