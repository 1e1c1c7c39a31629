import type { Row } from './rows.js';

/** A figure that holds on any machine, because both of its sides were measured in one run. */
export interface Ratio {
  readonly name: string;
  readonly value: number;
  readonly target: Target;
}

export type Target = { readonly atLeast: number } | { readonly atMost: number };

type Measured = Pick<Row, 'work' | 'clients' | 'rate' | 'p50' | 'p99'>;

/** Every ratio with a target of which both sides were measured. */
export function ratiosOf(rows: readonly Measured[]): Ratio[] {
  return definitions.flatMap(({ name, target, work, over, clients, of }) => {
    const [one, other] = [work, over].map((wanted) =>
      rows.find((row) => row.work === wanted && row.clients === clients),
    );
    return one && other ? [{ name, value: of(one, other), target }] : [];
  });
}

export function isMet({ value, target }: Ratio): boolean {
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}

interface Definition {
  readonly name: string;
  readonly target: Target;
  readonly work: string;
  readonly over: string;
  readonly clients: number;
  readonly of: (one: Measured, other: Measured) => number;
}

const rates = (one: Measured, other: Measured) => one.rate / other.rate;
const slowest = (one: Measured, other: Measured) => one.p99 / other.p99;
const typical = (one: Measured, other: Measured) => one.p50 / other.p50;

const definitions: readonly Definition[] = [
  ...[32, 128].flatMap((clients): Definition[] => [
    {
      name: `rehydrate_rate_over_floor_at_${clients}`,
      target: { atLeast: 1 },
      work: 'rehydrate',
      over: 'floor',
      clients,
      of: rates,
    },
    {
      name: `rehydrate_p99_over_floor_at_${clients}`,
      target: { atMost: 1 },
      work: 'rehydrate',
      over: 'floor',
      clients,
      of: slowest,
    },
    {
      name: `seal_rate_over_floor_at_${clients}`,
      target: { atLeast: 0.8 },
      work: 'seal',
      over: 'floor',
      clients,
      of: rates,
    },
  ]),
  {
    name: 'rehydrate_p50_minus_floor_ms_at_1',
    target: { atMost: 1.5 },
    work: 'rehydrate',
    over: 'floor',
    clients: 1,
    of: (one, other) => one.p50 - other.p50,
  },
  {
    name: 'rehydrate_rate_over_peer_at_32',
    target: { atLeast: 4 },
    work: 'rehydrate',
    over: 'peer',
    clients: 32,
    of: rates,
  },
  {
    name: 'long_session_p50_over_short_at_1',
    target: { atMost: 1.1 },
    work: 'long session',
    over: 'short session',
    clients: 1,
    of: typical,
  },
  ...[1, 32].map((clients): Definition => ({
    name: `bigger_store_p50_over_first_at_${clients}`,
    target: { atMost: 1.15 },
    work: 'bigger store',
    over: 'first store',
    clients,
    of: typical,
  })),
];
