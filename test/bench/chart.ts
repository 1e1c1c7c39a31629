import { parse, View } from 'vega';
import { compile } from 'vega-lite';

import type { Row } from './rows.js';

/** The rates by the number of clients, one colour for each kind of work, as SVG. */
export async function rateChart(rows: readonly Pick<Row, 'work' | 'clients' | 'rate'>[]): Promise<string> {
  const { spec } = compile({
    width: 560,
    height: 300,
    background: 'white',
    data: { values: rows.map(({ work, clients, rate }) => ({ work, clients, rate })) },
    mark: 'bar',
    encoding: {
      x: { field: 'clients', type: 'ordinal', title: 'clients at once', axis: { labelAngle: 0 } },
      xOffset: { field: 'work', sort: null },
      y: { field: 'rate', type: 'quantitative', title: 'requests a second' },
      color: { field: 'work', type: 'nominal', sort: null, title: null },
    },
  });
  return new View(parse(spec), { renderer: 'none' }).toSVG();
}
