import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  canonicalDigest,
  canonicalJson,
  sha256Digest,
  sha256Hex,
  summaryDigest,
} from '../../../src/domain/digest.js';
import { readFixture } from '../../support/read-fixture.js';

const { inspect } = readFixture(
  'valid-requests.json',
  Type.Object({
    inspect: Type.Object({
      summary: Type.String(),
      continuity_envelope: Type.Object({ summary_sha256: Type.String() }),
    }),
  }),
);

describe('sha256Hex', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['é', '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c'],
  ])('hashes the UTF-8 of %j', (text, hex) => {
    expect(sha256Hex(text)).toBe(hex);
    expect(sha256Digest(text)).toBe(`sha256:${hex}`);
  });
});

describe('canonicalJson', () => {
  it('writes the example of RFC 8785 as the RFC does', () => {
    const example: unknown = JSON.parse(
      String.raw`{
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
      }`,
    );

    expect(canonicalJson(example)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts names by their UTF-16 code units', () => {
    expect(canonicalJson({ '\ufb33': 1, '😀': 2, '\u20ac': 3, '1': 4, '\r': 5 })).toBe(
      '{"\\r":5,"1":4,"€":3,"😀":2,"\ufb33":1}',
    );
  });

  it('leaves out properties that are undefined', () => {
    expect(canonicalJson({ a: 1, b: undefined })).toBe('{"a":1}');
  });

  it('says so where a value has none', () => {
    expect(() => canonicalJson(undefined)).toThrow('This value has no canonical JSON form');
  });

  it.each([[undefined], [Number.NaN], [Infinity], [1n], ['\ud800'], [{ deep: ['\udc00'] }]])(
    'refuses what JSON has no form for: %o',
    (value) => {
      expect(() => canonicalJson(value)).toThrow();
    },
  );

  it('says the same of any JSON value whatever order its names came in', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(canonicalDigest(reversed)).toBe(canonicalDigest(value));
      }),
    );
  });

  it('writes JSON that reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('canonicalDigest', () => {
  it('is the digest of the canonical JSON', () => {
    expect(canonicalDigest({ b: [1], a: 'é' })).toBe(sha256Digest('{"a":"é","b":[1]}'));
  });
});

describe('summaryDigest', () => {
  it('is the one that the conformance vectors bind their summary with', () => {
    expect(summaryDigest(inspect.summary)).toBe(inspect.continuity_envelope.summary_sha256);
  });

  it('ignores white space around the text', () => {
    expect(summaryDigest(' \u0085\ta b\n\u00a0')).toBe(sha256Digest('a b'));
  });

  it.each(['a  b', 'a\r\nb', '\ufeffa b', 'a b\u200b', 'a b\0'])('tells %j from another text', (text) => {
    expect(summaryDigest(text)).toBe(sha256Digest(text));
    expect(summaryDigest(text)).not.toBe(summaryDigest('a b'));
  });
});
