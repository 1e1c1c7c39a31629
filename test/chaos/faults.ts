import fc from 'fast-check';

/** What happens to a system, by its name, each with how often it does among the others. */
export type Weights<Kind extends string> = Readonly<Record<Kind, number>>;

/** One fault of a plan. */
export interface Fault<Kind extends string = string> {
  readonly kind: Kind;
  /** Which gate it happens to, if to one. */
  readonly gate: number;
  /** How long it lasts, if it does. */
  readonly ms: number;
  /** How long nothing happens before it. */
  readonly restMs: number;
}

/** More than are inflicted in an hour. */
const planned = 10_000;

/** Each kind once, then any number of them; the same for the same seed. */
export function planFaults<Kind extends string>(weights: Weights<Kind>, seed: number): Fault<Kind>[] {
  const kinds = Object.keys(weights) as Kind[];
  const details = { gate: fc.nat(3), ms: fc.integer({ min: 50, max: 1_500 }), restMs: fc.nat(250) };
  const first = fc
    .shuffledSubarray(kinds, { minLength: kinds.length })
    .chain((shuffled) =>
      fc.tuple(...shuffled.map((kind) => fc.record({ kind: fc.constant(kind), ...details }))),
    );
  const any = fc.record({
    kind: fc.oneof(...kinds.map((kind) => ({ weight: weights[kind], arbitrary: fc.constant(kind) }))),
    ...details,
  });
  return [
    ...fc.sample(first, { seed, numRuns: 1 }).flat(),
    ...fc.sample(any, { seed, numRuns: planned }),
  ] as Fault<Kind>[];
}
