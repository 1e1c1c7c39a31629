import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  hasControlCharacter,
  isLongerThan,
  lengthInCodePoints,
  trimWhiteSpace,
} from '../../../src/domain/text.js';

/** Unicode White_Space, as PropList.txt has had it since Unicode 6.3. */
const whiteSpace = [
  ...codePoints(0x0009, 0x000d),
  ...[0x0020, 0x0085, 0x00a0, 0x1680],
  ...codePoints(0x2000, 0x200a),
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
].map((code) => String.fromCodePoint(code));

/** Category Cc. */
const controls = [...codePoints(0x00, 0x1f), ...codePoints(0x7f, 0x9f)].map((code) =>
  String.fromCodePoint(code),
);

/** Text of the characters on which trimming, counting and refusing turn. */
const trickyText = fc.string({
  unit: fc.constantFrom(
    ...whiteSpace,
    ...controls,
    'a',
    'é',
    '\ufeff',
    '\uffff',
    '\u200b',
    '😀',
    '\ud800',
    '\udc00',
  ),
  maxLength: 40,
});

describe('trimWhiteSpace', () => {
  it('strips exactly the characters that are White_Space', () => {
    const stripped = codePoints(0, 0xffff)
      .map((code) => String.fromCharCode(code))
      .filter((character) => trimWhiteSpace(`${character}x${character}`) === 'x');

    expect(stripped).toEqual(whiteSpace);
  });

  it('leaves what stands between the ends as it is', () => {
    expect(trimWhiteSpace(' \u0085a \t b\u00a0\n')).toBe('a \t b');
  });

  it('leaves nothing of text that is only white space', () => {
    expect(trimWhiteSpace(whiteSpace.join(''))).toBe('');
  });

  it('agrees with the definition on any text', () => {
    fc.assert(
      fc.property(trickyText, (text) => {
        expect(trimWhiteSpace(text)).toBe(text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, ''));
      }),
    );
  });

  it('gets through a megabyte of inner white space', () => {
    const text = `x${' '.repeat(2 ** 20)}x`;

    expect(trimWhiteSpace(` ${text} `)).toBe(text);
  });
});

describe('hasControlCharacter', () => {
  it('finds exactly the characters of category Cc', () => {
    const found = codePoints(0, 0xffff)
      .map((code) => String.fromCharCode(code))
      .filter((character) => hasControlCharacter(`a${character}b`, { multiline: false }));

    expect(found).toEqual(controls);
  });

  it('lets tab, line feed and carriage return through where lines are allowed, and nothing else', () => {
    const found = controls.filter((character) => !hasControlCharacter(`a${character}b`, { multiline: true }));

    expect(found).toEqual(['\t', '\n', '\r']);
  });

  it('finds a control character behind an allowed line break', () => {
    expect(hasControlCharacter('a\nb\0', { multiline: true })).toBe(true);
  });
});

describe('lengthInCodePoints', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['😀', 1],
    ['a😀b', 3],
    ['\uffff\u{10000}', 2],
    ['e\u0301', 2],
    ['\ud83d', 1],
    ['\ude00\ud83d', 2],
  ])('of %j is %i', (text, length) => {
    expect(lengthInCodePoints(text)).toBe(length);
  });

  it('agrees with iteration on any text', () => {
    fc.assert(
      fc.property(trickyText, (text) => {
        expect(lengthInCodePoints(text)).toBe(Array.from(text).length);
      }),
    );
  });
});

describe('isLongerThan', () => {
  it('agrees with the length on any text and limit', () => {
    fc.assert(
      fc.property(trickyText, fc.nat(50), (text, limit) => {
        expect(isLongerThan(text, limit)).toBe(lengthInCodePoints(text) > limit);
      }),
    );
  });
});

function codePoints(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
