import fc from 'fast-check';

import type { Answer } from '../../../support/answer.js';
import { toldOf } from '../../../support/expect-stop.js';
import { valueAt } from '../../../support/edit-json.js';
import type { TestApp } from '../../../support/test-app.js';
import type { ExpectedDecision } from './decisions.js';
import type { Body, Expected, Kind, Tenant } from './store.js';

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

/** Where records stand: few enough places that calls meet. */
export const recordAt: Readonly<Record<Kind, fc.Arbitrary<{ path: string; session?: string }>>> = {
  policy: fc.constant({ path: 'policy' }),
  capability: mostly('create', 'close').map((name) => ({ path: `capabilities/${name}` })),
  principal: mostly('p0', 'p1').map((id) => ({ path: `principals/${id}` })),
  session: sessionId.map((session) => ({ path: `sessions/${session}`, session })),
  obligation: fc
    .tuple(sessionId, fc.constantFrom('o0', 'o1'))
    .map(([session, id]) => ({ path: `sessions/${session}/obligations/${id}`, session })),
  constraint: fc.constantFrom('r0', 'r1', 'r2').map((ref) => ({ path: `constraints/${ref}` })),
  approval: mostly('a0', 'a1', 'a2').map((id) => ({ path: `approvals/${id}` })),
  side_effect: mostly('k0', 'k1', 'k2').map((key) => ({ path: `side-effects/${key}` })),
};

/** Holds the answer to a write to what the model expects: the status, and the code or the revision. */
export function holdAnswer(call: string, answer: Answer, expected: Expected, { tally }: Real): void {
  const [pointer, told] = 'code' in expected ? ['/code', expected.code] : ['/revision', expected.revision];
  const got = told === undefined ? undefined : valueAt(answer.body, pointer);
  compare(call, answer, [expected.status, told], [answer.status, got]);
  count(tally, `${call} ${'code' in expected ? expected.code : expected.status}`);
}

/** Holds a decision to what the model expects: the reason, every finding, the epoch and the view. */
export function holdDecision(
  call: string,
  answer: Answer,
  expected: ExpectedDecision,
  { tally }: Real,
): void {
  const { status, reason, findings, epoch, view = {} } = expected;
  const told = (pointer: string) => valueAt(answer.body, pointer);
  const found = told('/findings');
  compare(
    call,
    answer,
    { status, reason, findings: findings && toldOf(findings), epoch, view },
    {
      status: answer.status,
      reason: reason && (told('/reason') ?? told('/code')),
      findings:
        findings && (Array.isArray(found) ? found.map((finding) => valueAt(finding, '/reason')) : found),
      epoch: epoch === undefined ? undefined : told('/session_epoch'),
      view: Object.fromEntries(Object.keys(view).map((field) => [field, told(`/context_view/${field}`)])),
    },
  );
  count(tally, `${call} ${reason ?? status}`);
}

function compare(call: string, answer: Answer, expected: object, got: object): void {
  const [wanted, found] = [JSON.stringify(expected), JSON.stringify(got)];
  if (wanted === found) return;
  throw new Error(`${call}\nthe model: ${wanted}\nthe gate:  ${found}\n${answer.text.slice(0, 1_500)}`);
}

function count(tally: Map<string, number>, outcome: string): void {
  tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
}
