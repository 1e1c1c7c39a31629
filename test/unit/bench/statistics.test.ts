import { describe, expect, it } from 'vitest';

import { median, medianOf, percentile } from '../../bench/statistics.js';

describe('percentiles', () => {
  it('are values that were measured, by the nearest rank', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentile(values, 0.5)).toBe(50);
    expect(percentile(values, 0.99)).toBe(99);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([10, 9], 0.99)).toBe(10);
  });

  it('sort numbers as numbers', () => {
    expect(percentile([10, 9, 100], 0.5)).toBe(10);
  });

  it('of nothing are no number', () => {
    expect(percentile([], 0.5)).toBeNaN();
    expect(median([])).toBeNaN();
  });
});

describe('medians', () => {
  it('lie between the middle two of an even number', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('are taken of each number of the rows by itself', () => {
    const rows = [
      { rate: 1, p50: 30 },
      { rate: 3, p50: 10 },
      { rate: 2, p50: 20 },
    ];
    expect(medianOf(rows, ['rate', 'p50'])).toEqual({ rate: 2, p50: 20 });
  });
});
