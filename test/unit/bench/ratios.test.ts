import { describe, expect, it } from 'vitest';

import { isMet, ratiosOf } from '../../bench/ratios.js';
import { jsonReport } from '../../bench/report.js';
import type { Row } from '../../bench/rows.js';

const row = (work: string, clients: number, measured: Partial<Row>): Row => ({
  work,
  clients,
  rate: 1_000,
  p50: 1,
  p95: 2,
  p99: 3,
  gateCpu: 0.1,
  postgresCpu: 0.2,
  loadCpu: 0.3,
  gateMemory: 100,
  postgresMemory: 200,
  ...measured,
});

const rows = [
  row('floor', 1, { p50: 1 }),
  row('rehydrate', 1, { p50: 3 }),
  row('floor', 32, { rate: 2_000, p99: 10 }),
  row('rehydrate', 32, { rate: 2_000, p99: 11 }),
  row('seal', 32, { rate: 1_500 }),
  row('peer', 32, { rate: 500 }),
];

describe('ratios', () => {
  it('compare what was measured at the same number of clients', () => {
    const ratios = ratiosOf(rows);
    expect(Object.fromEntries(ratios.map(({ name, value }) => [name, value]))).toEqual({
      rehydrate_rate_over_floor_at_32: 1,
      rehydrate_p99_over_floor_at_32: 1.1,
      seal_rate_over_floor_at_32: 0.75,
      rehydrate_p50_minus_floor_ms_at_1: 2,
      rehydrate_rate_over_peer_at_32: 4,
    });
    expect(ratios.filter(isMet).map(({ name }) => name)).toEqual([
      'rehydrate_rate_over_floor_at_32',
      'rehydrate_rate_over_peer_at_32',
    ]);
  });

  it('are told only where both sides were measured', () => {
    expect(ratiosOf([row('rehydrate', 32, {}), row('floor', 8, {})])).toEqual([]);
  });

  it('that are no number miss their target', () => {
    expect(isMet({ name: 'any', value: NaN, target: { atLeast: 1 } })).toBe(false);
    expect(isMet({ name: 'any', value: NaN, target: { atMost: 1 } })).toBe(false);
  });

  it('stand in the JSON report by their names, beside their targets and the rows', () => {
    const report = jsonReport(ratiosOf(rows), rows, []);
    expect(report.ratios['seal_rate_over_floor_at_32']).toBe(0.75);
    expect(report.targets['seal_rate_over_floor_at_32']).toEqual({ atLeast: 0.8 });
    expect(report.rows).toEqual(rows);
  });
});
