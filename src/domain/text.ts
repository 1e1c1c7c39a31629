/**
 * What the contract means by white space, by a control character and by a length. JavaScript's own notions differ:
 * `trim` strips U+FEFF and keeps U+0085, and `length` counts UTF-16 code units.
 */

/**
 * Strips Unicode White_Space (U+0085 belongs to it, U+FEFF does not) from both ends.
 *
 * Takes linear time whatever the text holds; an expression like /\s+$/ is quadratic on long inner runs.
 */
export function trimWhiteSpace(text: string): string {
  let start = 0;
  let end = text.length;
  // Beyond either end there is no character, and so no white space: both loops stop there.
  while (isWhiteSpace(text.charAt(start))) start += 1;
  while (isWhiteSpace(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Whether the text holds a control character (category Cc); tab, line feed and carriage return may be let through. */
export function hasControlCharacter(text: string, { multiline }: { multiline: boolean }): boolean {
  return (multiline ? controlButLineBreaks : control).test(text);
}

/** Length in characters (code points), as the contract counts; a lone surrogate counts as one. */
export function lengthInCodePoints(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) {
    if (isSurrogatePairAt(text, index)) length -= 1;
  }
  return length;
}

/** Whether the text has more than `limit` code points. */
export function isLongerThan(text: string, limit: number): boolean {
  return lengthInCodePoints(text) > limit;
}

const control = /\p{Cc}/u;
const controlButLineBreaks = /[^\P{Cc}\t\n\r]/u;

// White_Space has no member outside the basic plane, so that a single code unit decides.
const whiteSpace = /\p{White_Space}/u;

function isWhiteSpace(codeUnit: string): boolean {
  return whiteSpace.test(codeUnit);
}

function isSurrogatePairAt(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}

/** Whether a path can't have the text as a segment: every client takes `.` and `..` out of it, escaped or not. */
export function isDots(text: string): boolean {
  return text === '.' || text === '..';
}
