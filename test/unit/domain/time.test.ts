import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatTimestamp, parseTimestamp } from '../../../src/domain/time.js';
import { readFixture } from '../../support/read-fixture.js';

const { cases } = readFixture(
  'timestamps.json',
  Type.Object({
    cases: Type.Array(
      Type.Union([
        Type.Object({
          situation: Type.String(),
          text: Type.String(),
          microseconds: Type.String(),
          in_utc: Type.String(),
        }),
        Type.Object({
          situation: Type.String(),
          text: Type.String(),
          fault: Type.Union([Type.Literal('invalid'), Type.Literal('no_offset')]),
        }),
      ]),
      { minItems: 1 },
    ),
  }),
);

const times = cases.filter((time) => 'microseconds' in time);
const faults = cases.filter((time) => 'fault' in time);

const firstInstant = -62_135_596_800_000_000n;
const lastInstant = 253_402_300_799_999_999n;
const instants = fc.bigInt({ min: firstInstant, max: lastInstant });

describe('parseTimestamp', () => {
  it.each(times)('reads $situation: $text', ({ text, microseconds }) => {
    expect(parseTimestamp(text)).toBe(BigInt(microseconds));
  });

  it.each(faults)('refuses $situation: $text', ({ text, fault }) => {
    expect(parseTimestamp(text)).toBe(fault);
  });

  it('knows every day of the calendar, and no other', () => {
    const leapAndCommonYears = [1900, 2000, 2023, 2024, 2100];
    const wrong = leapAndCommonYears.flatMap((year) =>
      range(0, 99).flatMap((month) =>
        range(0, 99)
          .filter((day) => isRead(year, month, day) !== day >= 1 && day <= daysIn(year, month))
          .map((day) => [year, month, day]),
      ),
    );

    expect(wrong).toEqual([]);
  });

  it('keeps apart two moments that are a microsecond apart', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: firstInstant, max: lastInstant - 1n }), (instant) => {
        expect(parseTimestamp(formatTimestamp(instant + 1n))).toBe(instant + 1n);
        expect(parseTimestamp(formatTimestamp(instant))).toBe(instant);
      }),
    );
  });

  it('reads the same moment whatever offset it is written with', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: firstInstant + dayMicroseconds, max: lastInstant - dayMicroseconds }),
        fc.integer({ min: -1439, max: 1439 }),
        (instant, offsetMinutes) => {
          const local = formatTimestamp(instant + BigInt(offsetMinutes) * minuteMicroseconds);
          expect(parseTimestamp(local.replace('Z', offsetText(offsetMinutes)))).toBe(instant);
        },
      ),
    );
  });

  it('answers any text at all', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.date({ noInvalidDate: true }).map(String)),
        (text) => {
          expect(parseTimestamp(text)).toBe('invalid');
        },
      ),
    );
  });
});

describe('formatTimestamp', () => {
  it.each(times)('writes $situation in UTC with six fraction digits: $in_utc', ({ microseconds, in_utc }) => {
    expect(formatTimestamp(BigInt(microseconds))).toBe(in_utc);
  });

  it('writes texts that sort as the moments do', () => {
    fc.assert(
      fc.property(instants, instants, (one, other) => {
        expect(formatTimestamp(one) < formatTimestamp(other)).toBe(one < other);
      }),
    );
  });
});

const minuteMicroseconds = 60_000_000n;
const dayMicroseconds = 1_440n * minuteMicroseconds;

function isRead(year: number, month: number, day: number): boolean {
  const [mm, dd] = [month, day].map((part) => String(part).padStart(2, '0'));
  return typeof parseTimestamp(`${year}-${mm ?? ''}-${dd ?? ''}T00:00:00Z`) === 'bigint';
}

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return isLeap ? 29 : 28;
  if ([4, 6, 9, 11].includes(month)) return 30;
  return month >= 1 && month <= 12 ? 31 : 0;
}

function offsetText(minutes: number): string {
  const [hh, mm] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${minutes < 0 ? '-' : '+'}${hh ?? ''}:${mm ?? ''}`;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
