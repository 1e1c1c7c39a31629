import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ContinuityFormatError, echo, pointerTo } from '../../../src/domain/format-error.js';

describe('ContinuityFormatError', () => {
  it('is an error that says all that is wrong and where, in the words of the first fault', () => {
    const faults = [
      { pointer: '/tenant_id', message: 'Continuity field is required: tenant_id' },
      { pointer: '/session_id', message: 'Continuity field is required: session_id' },
    ] as const;

    const error = new ContinuityFormatError(...faults);

    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'ContinuityFormatError',
      message: 'Continuity field is required: tenant_id',
      faults,
    });
  });
});

describe('echo', () => {
  it('repeats well-formed text of up to 512 characters as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 512 }), (text) => {
        expect(echo(text)).toBe(text);
      }),
    );
  });

  it('never repeats more than 512 characters, nor half of one', () => {
    const halves = fc.constantFrom('a', '😀', '\ud83d', '\ude00');
    fc.assert(
      fc.property(fc.string({ unit: halves, minLength: 1, maxLength: 30 }), fc.nat(100), (text, repeats) => {
        const long = text.repeat(repeats);
        expect(echo(long)).toBe(Array.from(long.toWellFormed()).slice(0, 512).join(''));
      }),
    );
  });
});

describe('pointerTo', () => {
  it.each([
    ['', 'tenant_id', '/tenant_id'],
    ['/released', 0, '/released/0'],
    ['/a', 'b/c', '/a/b~1c'],
    ['/a', 'm~n', '/a/m~0n'],
    ['/a', '~1/~0', '/a/~01~1~00'],
    ['/a', '', '/a/'],
  ])('from %j to %j is %j', (parent, key, pointer) => {
    expect(pointerTo(parent, key)).toBe(pointer);
  });
});
