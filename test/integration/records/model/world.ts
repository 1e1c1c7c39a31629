import fc from 'fast-check';

import type { TestApp } from '../../../support/test-app.js';
import type { Body, Tenant } from './store.js';

/** The tenants as the model has them, by name. */
export type Model = ReadonlyMap<string, Tenant>;

/** The service, with tenants of its own for one run. */
export interface Real {
  readonly gate: TestApp;
  /** What the names of the run's tenants begin with. */
  readonly prefix: string;
  /** How often each kind of call was answered in which way. */
  readonly tally: Map<string, number>;
}

export type ModelCommand = fc.AsyncCommand<Model, Real>;

/** A call that is made of the model and of the service, and how a counterexample tells it. */
export function command(
  told: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: (model: Model) => boolean = () => true,
): ModelCommand {
  return { check, run, toString: () => told };
}

export const tenantNames = ['t0', 't1'] as const;
export const sessionIds = ['s0', 's1'] as const;

export const future = '2999-01-01T00:00:00.000000Z';
export const past = '2020-01-01T00:00:00.000000Z';
export const summary = 'The write timed out.';

/** What a session and its envelopes say unless something else is said. */
export const defaults = {
  principal_id: 'p0',
  authorization_mode: 'human_approved',
  delegated_principal_id: '',
  delegated_scope: '',
  idempotency_key: 'k0',
  checkpoint_ref: 'c0',
} as const;

/** The first is what mostly holds, so that goes are not the exception. */
export function mostly<T>(first: T, ...others: T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(first) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );
}

/** None of the changes, or one or two of them. */
export function someOf<T extends object>(changes: readonly fc.Arbitrary<object>[]): fc.Arbitrary<T> {
  const one = fc.oneof(...changes);
  return fc
    .oneof(
      { weight: 5, arbitrary: fc.constant([]) },
      { weight: 3, arbitrary: fc.tuple(one) },
      { weight: 1, arbitrary: fc.tuple(one, one) },
    )
    .map((chosen) => Object.assign({}, ...chosen) as T);
}

export const tenantName = mostly<string>(...tenantNames);
export const sessionId = mostly<string>(...sessionIds);
export const eventId = fc.nat(9).map((number) => `v${number}`);

/** The epoch to present: none, the one that is current, or another one. */
export type EpochChange = 'none' | 'current' | 'stale';

export function presentedEpoch(change: EpochChange, current: number): number | undefined {
  if (change === 'none') return undefined;
  return change === 'stale' ? current + 1 : current;
}

export function tenantIn(model: Model, name: string): Tenant {
  const tenant = model.get(name);
  if (!tenant) throw new Error(`The model has no tenant ${name}`);
  return tenant;
}

/** The body as it is sent: what is undefined is left out. */
export function defined(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
