import type { Counts } from './counts.js';
import { isMet, type Ratio } from './ratios.js';
import { columns, type Row } from './rows.js';

/** What `--json` writes. */
export function jsonReport(ratios: readonly Ratio[], rows: readonly Row[], counts: readonly Counts[]) {
  return {
    ratios: Object.fromEntries(ratios.map(({ name, value }) => [name, value])),
    targets: Object.fromEntries(ratios.map(({ name, target }) => [name, target])),
    rows,
    counts,
  };
}

export function printRows(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}: ms, CPU ms a request, MiB`);
  const [first] = rows;
  const table = rows.map((row) => [
    `${row.work} at ${row.clients}`,
    {
      ...Object.fromEntries(columns.map((column) => [column, rounded(row[column])])),
      [`rate/${first?.work ?? ''}`]: rounded(row.rate / (first?.rate ?? NaN)),
    },
  ]);
  console.table(Object.fromEntries(table));
}

export function printCounts(counts: readonly Counts[]): void {
  console.log('\nA request costs, on the way to Postgres and in it');
  const table = counts.map(({ work, clients, ...numbers }) => [
    `${work} at ${clients}`,
    Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, rounded(value)])),
  ]);
  console.table(Object.fromEntries(table));
}

export function printRatios(ratios: readonly Ratio[]): void {
  console.log('\nRatios beside their targets');
  for (const ratio of ratios) {
    const { name, value, target } = ratio;
    const wanted = 'atLeast' in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`;
    console.log(`${isMet(ratio) ? 'met   ' : 'MISSED'} ${name}: ${rounded(value)} (${wanted})`);
  }
}

const rounded = (value: number) => Number(value.toFixed(2));
