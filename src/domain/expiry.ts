import { parseTimestamp, type Instant } from './time.js';

/** Whether a time has come. One that can't be read has passed: in doubt, the gate stops. */
export function isNotAfter(expiry: string, now: string): boolean {
  const [expiryInstant, nowInstant] = [readInstant(expiry), readInstant(now)];
  return expiryInstant === undefined || nowInstant === undefined || expiryInstant <= nowInstant;
}

function readInstant(text: string): Instant | undefined {
  const instant = parseTimestamp(text);
  return typeof instant === 'bigint' ? instant : undefined;
}
