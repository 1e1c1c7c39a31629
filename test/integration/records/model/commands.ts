import fc from 'fast-check';

import type { Answer } from '../../../support/answer.js';
import { valueAt } from '../../../support/edit-json.js';
import { recordsOfTenant } from '../../../support/records.js';
import { digestOf } from '../../../support/requests.js';
import type { TestApp } from '../../../support/test-app.js';
import { constraintsOf, isUnknown, list, resume, seal, text, type ExpectedDecision } from './decisions.js';
import {
  append,
  put,
  recordsOf,
  sessionOf,
  settle,
  type Body,
  type Expected,
  type Kind,
  type Tenant,
} from './store.js';

/** The tenants as the model has them, by name. */
export type Model = ReadonlyMap<string, Tenant>;

/** The service, with tenants of its own for one run. */
export interface Real {
  readonly gate: TestApp;
  readonly prefix: string;
  /** How often each kind of call was answered in which way. */
  readonly tally: Map<string, number>;
}

type Command = fc.AsyncCommand<Model, Real>;

export const tenantNames = ['t0', 't1'] as const;
export const sessionIds = ['s0', 's1'] as const;

const future = '2999-01-01T00:00:00.000000Z';
const past = '2020-01-01T00:00:00.000000Z';
const summary = 'The write timed out.';

/** Any call of the API, on few enough ids that they meet; what stands here several times is called more often. */
export const commands: fc.Arbitrary<Command>[] = [];

/** The first is what mostly holds, so that goes are not the exception. */
function mostly<T>(first: T, ...others: T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(first) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );
}

const tenantName = mostly<string>(...tenantNames);
const sessionId = mostly<string>(...sessionIds);
const capabilityName = mostly('create', 'close');
const version = mostly('v1', 'v2');
const digest = mostly('d0', 'd1');

/** What an envelope says where no record says anything. */
const defaults = {
  principal_id: 'p0',
  authorization_mode: 'human_approved',
  delegated_principal_id: '',
  delegated_scope: '',
  idempotency_key: 'k0',
  checkpoint_ref: 'c0',
} as const;

const paths: Readonly<Record<Kind, fc.Arbitrary<{ path: string; session?: string }>>> = {
  policy: fc.constant({ path: 'policy' }),
  capability: capabilityName.map((name) => ({ path: `capabilities/${name}` })),
  principal: mostly('p0', 'p1').map((id) => ({ path: `principals/${id}` })),
  session: sessionId.map((session) => ({ path: `sessions/${session}`, session })),
  obligation: fc
    .tuple(sessionId, fc.constantFrom('o0', 'o1'))
    .map(([session, id]) => ({ path: `sessions/${session}/obligations/${id}`, session })),
  constraint: fc.constantFrom('r0', 'r1', 'r2').map((ref) => ({ path: `constraints/${ref}` })),
  approval: mostly('a0', 'a1', 'a2').map((id) => ({ path: `approvals/${id}` })),
  side_effect: mostly('k0', 'k1', 'k2').map((key) => ({ path: `side-effects/${key}` })),
};

const bodies: Readonly<Record<Kind, fc.Arbitrary<Body>>> = {
  policy: fc.record({ policy_version: version }),
  capability: fc.record({ capability_version: version }),
  principal: fc.record({ principal_status: mostly('active', 'suspended', 'removed') }),
  session: fc
    .record({
      session_status: mostly('active', 'active', 'active', 'cancelled', 'ended'),
      principal_id: mostly('p0', 'p1'),
      authorization_mode: mostly('human_approved', 'platform_owned'),
      idempotency_key: mostly('k0', 'k1'),
      checkpoint_ref: mostly('c0', 'c1'),
      sandbox_snapshot_ref: mostly(undefined, 'n0'),
      budget_remaining: mostly(7, 0, 3, undefined),
      objective: mostly(undefined, 'Resolve it.', 'Close it.'),
    })
    .map((body) => ({ ...defaults, ...body })),
  obligation: mostly<Body>(
    { obligation_status: 'open' },
    { obligation_status: 'discharged', evidence_refs: ['e0'] },
    { obligation_status: 'discharged', evidence_refs: ['e0', 'e1'] },
  ),
  constraint: fc.record({
    session_id: sessionId,
    text: mostly('Ask first.', 'Never ask.'),
    forbids_capability: mostly(undefined, 'close', 'create'),
    constraint_status: mostly('active', 'withdrawn'),
  }),
  approval: fc.record({
    session_id: sessionId,
    capability_name: capabilityName,
    action_digest: digest,
    approval_status: mostly('approved', 'pending', 'approved', 'rejected', 'revoked', 'expired'),
    expires_at: mostly(future, past, '2998-01-01T00:00:00.000000Z'),
  }),
  side_effect: fc.record({
    session_id: sessionId,
    capability_name: capabilityName,
    approval_id: mostly('a0', 'a1', 'a2'),
    action_digest: digest,
    side_effect_status: mostly('not_started', 'side_effect_unknown', 'side_effect_committed'),
  }),
};

const kinds = Object.keys(paths) as Kind[];

/** The entity tag that is sent along: of the present revision, of another one, or of any. */
type IfMatch = 'current' | 'another' | '*' | undefined;

class PutRecord implements Command {
  readonly #tenant: string;
  readonly #put: {
    kind: Kind;
    path: string;
    session?: string;
    body: Body;
    session_epoch?: number | undefined;
  };
  readonly #ifMatch: IfMatch;

  constructor(
    tenant: string,
    write: { kind: Kind; path: string; session?: string; body: Body; session_epoch?: number | undefined },
    ifMatch: IfMatch,
  ) {
    this.#tenant = tenant;
    this.#put = write;
    this.#ifMatch = ifMatch;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    const tenant = tenantIn(model, this.#tenant);
    const { path, body, session_epoch } = this.#put;
    const revision = tenant.records.get(path)?.revision ?? 0;
    const ifMatch =
      this.#ifMatch === 'current' ? revision : this.#ifMatch === 'another' ? revision + 1 : this.#ifMatch;
    const tag = ifMatch === '*' ? '*' : ifMatch === undefined ? undefined : `"${Math.max(ifMatch, 1)}"`;
    const expected = put(tenant, {
      ...this.#put,
      body: defined(body),
      ifMatch: typeof ifMatch === 'number' ? Math.max(ifMatch, 1) : ifMatch,
    });

    const answer = await recordsOfTenant(real.gate, `${real.prefix}${this.#tenant}`).put(
      path,
      { ...body, session_epoch },
      tag === undefined ? {} : { 'if-match': tag },
    );

    expectAnswer(this, answer, expected, real, 'put');
  }

  toString(): string {
    const { path, body, session_epoch = '' } = this.#put;
    return `put ${this.#tenant} ${path} ${JSON.stringify(body)} ${session_epoch} ${this.#ifMatch ?? ''}`;
  }
}

const epoch = mostly(undefined, undefined, undefined, 0, 1, 2);
const ifMatch = mostly<IfMatch>(undefined, undefined, undefined, undefined, 'current', 'another', '*');

const puts = fc
  .constantFrom(...kinds)
  .chain((kind) =>
    fc
      .tuple(tenantName, paths[kind], bodies[kind], epoch, ifMatch)
      .map(
        ([tenant, at, body, session_epoch, match]) =>
          new PutRecord(tenant, { kind, ...at, body, ...(knowsEpoch(kind) && { session_epoch }) }, match),
      ),
  );
commands.push(puts, puts, puts);

function knowsEpoch(kind: Kind): boolean {
  return kind === 'session' || kind === 'side_effect';
}

/** Writes a record that is there once more, with one field changed. */
class ChangeRecord implements Command {
  readonly #tenant: string;
  readonly #at: { kind: Kind; path: string; session?: string };
  readonly #change: Body;

  constructor(tenant: string, at: { kind: Kind; path: string; session?: string }, change: Body) {
    this.#tenant = tenant;
    this.#at = at;
    this.#change = change;
  }

  check(model: Model): boolean {
    return tenantIn(model, this.#tenant).records.has(this.#at.path);
  }

  async run(model: Model, real: Real): Promise<void> {
    const current = tenantIn(model, this.#tenant).records.get(this.#at.path)?.body;
    const body = { ...current, ...this.#change };
    await new PutRecord(this.#tenant, { ...this.#at, body }, undefined).run(model, real);
  }

  toString(): string {
    return `change ${this.#tenant} ${this.#at.path} ${JSON.stringify(this.#change)}`;
  }
}

/** Changes that each kind mostly allows. */
const changes: Readonly<Record<Kind, readonly Body[]>> = {
  policy: [{ policy_version: 'v1' }, { policy_version: 'v2' }],
  capability: [{ capability_version: 'v1' }, { capability_version: 'v2' }],
  principal: [
    { principal_status: 'active' },
    { principal_status: 'suspended' },
    { principal_status: 'removed' },
  ],
  session: [
    { session_status: 'cancelled' },
    { session_status: 'ended' },
    { principal_id: 'p1' },
    { authorization_mode: 'platform_owned' },
    { idempotency_key: 'k1' },
    { checkpoint_ref: 'c1' },
    { sandbox_snapshot_ref: 'n0' },
    { budget_remaining: undefined },
    { budget_remaining: 3 },
    { budget_remaining: 0 },
    { objective: 'Close it.' },
  ],
  obligation: [{ obligation_status: 'discharged', evidence_refs: ['e0'] }, { obligation_status: 'open' }],
  constraint: [
    { constraint_status: 'withdrawn' },
    { constraint_status: 'active' },
    { text: 'Never ask.' },
    { forbids_capability: 'create' },
    { forbids_capability: 'close' },
    { session_id: 's1' },
  ],
  approval: [
    { approval_status: 'pending' },
    { approval_status: 'approved' },
    { approval_status: 'revoked' },
    { approval_status: 'expired' },
    { expires_at: past },
    { expires_at: future },
  ],
  side_effect: [
    { side_effect_status: 'side_effect_unknown' },
    { side_effect_status: 'side_effect_committed' },
    { side_effect_status: 'not_started' },
    { approval_id: 'a2' },
  ],
};

const changesOfRecords = fc
  .constantFrom(...kinds, 'side_effect' as const)
  .chain((kind) =>
    fc
      .tuple(tenantName, paths[kind], fc.constantFrom(...changes[kind]))
      .map(([tenant, at, change]) => new ChangeRecord(tenant, { kind, ...at }, change)),
  );
commands.push(...Array.from({ length: 4 }, () => changesOfRecords));

class AppendEvents implements Command {
  readonly #tenant: string;
  readonly #session: string;
  readonly #events: readonly Body[];

  constructor(tenant: string, session: string, events: readonly Body[]) {
    this.#tenant = tenant;
    this.#session = session;
    this.#events = events;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    const expected = append(tenantIn(model, this.#tenant), this.#session, this.#events);

    const answer = await recordsOfTenant(real.gate, `${real.prefix}${this.#tenant}`).post(
      `sessions/${this.#session}/events`,
      { events: this.#events },
    );

    expectAnswer(this, answer, expected, real, 'append');
  }

  toString(): string {
    return `append ${this.#tenant} ${this.#session} ${this.#events.map((event) => Object.values(event).join('/')).join()}`;
  }
}

/** Writes whatever the session has no record of yet, so that it can be sealed and resumed. */
class Prepare implements Command {
  readonly #tenant: string;
  readonly #session: string;

  constructor(tenant: string, session: string) {
    this.#tenant = tenant;
    this.#session = session;
  }

  check(model: Model): boolean {
    return !tenantIn(model, this.#tenant).records.has(`sessions/${this.#session}`);
  }

  async run(model: Model, real: Real): Promise<void> {
    const [session, number] = [this.#session, this.#session.slice(1)];
    const action = { session_id: session, capability_name: 'create', action_digest: 'd0' };
    const writes: { kind: Kind; path: string; session?: string; body: Body }[] = [
      { kind: 'policy', path: 'policy', body: { policy_version: 'v1' } },
      { kind: 'capability', path: 'capabilities/create', body: { capability_version: 'v1' } },
      {
        kind: 'session',
        path: `sessions/${session}`,
        session,
        body: { ...defaults, session_status: 'active', idempotency_key: `k${number}`, budget_remaining: 7 },
      },
      {
        kind: 'approval',
        path: `approvals/a${number}`,
        body: { ...action, approval_status: 'approved', expires_at: future },
      },
      {
        kind: 'side_effect',
        path: `side-effects/k${number}`,
        body: { ...action, approval_id: `a${number}`, side_effect_status: 'not_started' },
      },
      {
        kind: 'constraint',
        path: `constraints/r${number}`,
        body: { session_id: session, text: 'Ask first.', constraint_status: 'active' },
      },
      {
        kind: 'obligation',
        path: `sessions/${session}/obligations/o0`,
        session,
        body: { obligation_status: 'open' },
      },
    ];
    for (const write of writes) await new PutRecord(this.#tenant, write, undefined).run(model, real);
    const events = [0, 1, 2].map((event) => ({
      event_id: `v${event}`,
      event_type: 'call',
      content_sha256: 'sha256:0',
    }));
    await new AppendEvents(this.#tenant, session, events).run(model, real);
  }

  toString(): string {
    return `prepare ${this.#tenant} ${this.#session}`;
  }
}

const preparations = fc.tuple(tenantName, sessionId).map(([tenant, session]) => new Prepare(tenant, session));
commands.push(...Array.from({ length: 5 }, () => preparations));

const event = fc
  .tuple(fc.nat(9), mostly('sha256:0', 'sha256:1'))
  .map(([number, content_sha256]) => ({ event_id: `v${number}`, event_type: 'call', content_sha256 }));

commands.push(
  fc
    .tuple(tenantName, sessionId, fc.array(event, { minLength: 1, maxLength: 4 }))
    .map(([tenant, session, events]) => new AppendEvents(tenant, session, events)),
);

/** Settles an unknown effect if there is one, else the one of the key. */
class Settle implements Command {
  readonly #tenant: string;
  readonly #key: string;
  readonly #settlement: Body;

  constructor(tenant: string, key: string, settlement: Body) {
    this.#tenant = tenant;
    this.#key = key;
    this.#settlement = settlement;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    const tenant = tenantIn(model, this.#tenant);
    const [unknown] = [...recordsOf(tenant, 'side-effects/')].filter(([, effect]) => isUnknown(effect));
    const key = unknown?.[0] ?? this.#key;
    const expected = settle(tenant, key, this.#settlement);

    const answer = await recordsOfTenant(real.gate, `${real.prefix}${this.#tenant}`).post(
      `side-effects/${key}/reconciliation`,
      this.#settlement,
    );

    expectAnswer(this, answer, expected, real, 'settle');
  }

  toString(): string {
    return `settle ${this.#tenant} ${this.#key} ${JSON.stringify(this.#settlement)}`;
  }
}

commands.push(
  fc
    .tuple(
      tenantName,
      mostly('k0', 'k1', 'k2'),
      fc.record({
        outcome: fc.constantFrom('side_effect_committed', 'not_started'),
        evidence_refs: mostly(['e0'], ['e0', 'e1']),
        reconciled_by: mostly('me', 'you'),
      }),
    )
    .map(([tenant, key, settlement]) => new Settle(tenant, key, settlement)),
);

/** Seals what agrees with the records, but for what is changed. */
class Seal implements Command {
  readonly #tenant: string;
  readonly #session: string;
  readonly #id: string;
  readonly #changes: SealChanges;

  constructor(tenant: string, session: string, id: string, changes: SealChanges) {
    this.#tenant = tenant;
    this.#session = session;
    this.#id = id;
    this.#changes = changes;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    const tenant = tenantIn(model, this.#tenant);
    const {
      summary: presented = summary,
      epoch: epochChange,
      released = [],
      drop,
      again,
      ...changed
    } = this.#changes;
    const before = again ? tenant.envelopes.get(this.#id) : undefined;
    const fitting = before?.envelope ?? fittingEnvelope(tenant, this.#session, this.#id);
    const envelope = defined({ ...fitting, ...without(fitting, drop), ...changed });
    const session_epoch = presentedEpoch(epochChange, sessionOf(tenant, text(envelope, 'session_id')).epoch);
    const expected = seal(tenant, { envelope, summaryFits: presented === summary, session_epoch, released });

    const answer = await real.gate.seal({
      continuity_envelope: { ...envelope, tenant_id: `${real.prefix}${this.#tenant}` },
      summary: presented,
      session_epoch,
      ...(released.length > 0 && { released: released.map((ref) => ({ ref, evidence_refs: ['e0'] })) }),
    });

    expectDecision(this, answer, expected, real, 'seal');
  }

  toString(): string {
    return `seal ${this.#tenant} ${this.#session} ${this.#id} ${JSON.stringify(this.#changes)}`;
  }
}

type EpochChange = 'none' | 'stale' | undefined;

interface SealChanges {
  readonly summary?: string;
  readonly epoch?: EpochChange;
  readonly released?: readonly string[];
  /** A list of which the first entry is left out. */
  readonly drop?: 'exact_constraint_refs' | 'pending_obligations';
  /** Sends what was sealed under the id before. */
  readonly again?: boolean;
  readonly [field: string]: unknown;
}

const anyEvent = fc.nat(9).map((number) => `v${number}`);

const sealChanges = someOf<SealChanges>([
  fc.constant({ summary: 'Another one.' }),
  fc.constantFrom({ epoch: 'none' }, { epoch: 'stale' }),
  fc.constantFrom({ released: ['r0', 'o0'] }, { released: ['o1'] }),
  fc.constantFrom({ drop: 'exact_constraint_refs' }, { drop: 'pending_obligations' }),
  fc.constant({ again: true }),
  fc.constantFrom({ principal_id: 'p1' }, { principal_id: 'p0' }),
  fc.constantFrom({ policy_version: 'v2' }, { capability_version: 'v2' }, { action_digest: 'd1' }),
  fc.constantFrom(
    { approval_id: 'a1' },
    { approval_id: 'a2' },
    { idempotency_key: 'k1' },
    { capability_name: 'close' },
  ),
  fc
    .constantFrom('not_started', 'side_effect_unknown', 'side_effect_committed')
    .map((side_effect_status) => ({ side_effect_status })),
  fc.constant({ approval_expires_at: past }),
  fc.constantFrom(
    { checkpoint_ref: 'c1' },
    { objective: 'Close it.' },
    { sandbox_snapshot_ref: 'n0' },
    { budget_remaining: 8 },
  ),
  fc.constantFrom(
    { exact_constraint_refs: ['r0', 'unrecorded'] },
    { pending_obligations: ['o0', 'unrecorded'] },
  ),
  fc.tuple(anyEvent, anyEvent).map(([first, last]) => ({ source_event_range: { first, last } })),
]);

const sealings = fc
  .tuple(tenantName, sessionId, fc.nat(15), sealChanges)
  .map(([tenant, session, number, changes]) => new Seal(tenant, session, `e${number}`, changes));
commands.push(...Array.from({ length: 6 }, () => sealings));

/** Resumes from the session's newest envelope, but for what is changed. */
class Resume implements Command {
  readonly #tenant: string;
  readonly #session: string;
  readonly #changes: ResumeChanges;

  constructor(tenant: string, session: string, changes: ResumeChanges) {
    this.#tenant = tenant;
    this.#session = session;
    this.#changes = changes;
  }

  check(model: Model): boolean {
    const { newest } = sessionOf(tenantIn(model, this.#tenant), this.#session);
    return newest !== undefined || this.#changes.envelope_id !== undefined;
  }

  async run(model: Model, real: Real): Promise<void> {
    const tenant = tenantIn(model, this.#tenant);
    const changes = this.#changes;
    const envelope_id = changes.envelope_id ?? sessionOf(tenant, this.#session).newest ?? 'e0';
    const envelope =
      tenant.envelopes.get(envelope_id)?.envelope ?? fittingEnvelope(tenant, this.#session, envelope_id);
    const session_id = changes.session_id ?? this.#session;
    const session_epoch = presentedEpoch(changes.epoch ?? 'none', sessionOf(tenant, session_id).epoch);
    const state = changes.state && attestedState(envelope, changes.state);
    const range = changes.range ?? (state && (envelope['source_event_range'] as Body));
    const principal_id = changes.principal_id ?? text(envelope, 'principal_id');
    const presented = changes.summary ?? summary;
    const expected = resume(tenant, {
      envelope_id,
      session_id,
      principal_id,
      summaryFits: presented === summary,
      range,
      session_epoch,
      state,
    });

    const tenant_id = `${real.prefix}${this.#tenant}`;
    const answer = await real.gate.rehydrate({
      envelope_id,
      tenant_id,
      principal_id,
      session_id,
      trace_id: 'trace-2',
      summary: presented,
      source_event_range: range,
      session_epoch,
      current_state: state && { ...state, tenant_id },
    });

    expectDecision(this, answer, expected, real, changes.state ? 'resume attested' : 'resume');
  }

  toString(): string {
    return `resume ${this.#tenant} ${this.#session} ${JSON.stringify(this.#changes)}`;
  }
}

interface ResumeChanges {
  readonly envelope_id?: string;
  readonly session_id?: string;
  readonly principal_id?: string;
  readonly summary?: string;
  readonly range?: Body;
  readonly epoch?: 'current' | EpochChange;
  /** Changes to a state that agrees with the envelope. */
  readonly state?: Body;
}

const states = mostly<Body>(
  {},
  { policy_version: 'v2' },
  { capability_version: 'v2' },
  { approval_status: 'revoked' },
  { side_effect_status: 'side_effect_unknown' },
  { side_effect_status: 'side_effect_committed' },
  { approval_id: 'a1', action_digest: 'd1' },
  { principal_id: 'p1', checkpoint_ref: 'c1' },
  { exact_constraint_refs: ['r0'], pending_obligations: ['o1'] },
);

const resumeChanges = someOf<ResumeChanges>([
  fc.constantFrom('e0', 'e1', 'e2').map((envelope_id) => ({ envelope_id })),
  fc.constantFrom(...sessionIds).map((session_id) => ({ session_id })),
  fc.constantFrom({ principal_id: 'p1' }, { principal_id: 'p0' }),
  fc.constant({ summary: 'Another one.' }),
  fc.constantFrom({ epoch: 'current' }, { epoch: 'stale' }),
  fc.tuple(anyEvent, anyEvent).map(([first, last]) => ({ range: { first, last } })),
  states.map((state) => ({ state })),
]);

const resumptions = fc
  .tuple(tenantName, sessionId, resumeChanges)
  .map(([tenant, session, changes]) => new Resume(tenant, session, changes));
commands.push(...Array.from({ length: 8 }, () => resumptions));

/** None of the changes, or one or two of them. */
function someOf<T extends object>(changes: readonly fc.Arbitrary<object>[]): fc.Arbitrary<T> {
  const one = fc.oneof(...changes);
  return fc
    .oneof(
      { weight: 5, arbitrary: fc.constant([]) },
      { weight: 3, arbitrary: fc.tuple(one) },
      { weight: 1, arbitrary: fc.tuple(one, one) },
    )
    .map((chosen) => Object.assign({}, ...chosen) as T);
}

/** An envelope of the session that agrees with all that is on record. */
function fittingEnvelope(tenant: Tenant, session_id: string, envelope_id: string): Body {
  const record = tenant.records.get(`sessions/${session_id}`)?.body ?? {};
  const idempotency_key = text({ ...defaults, ...record }, 'idempotency_key');
  const effect = tenant.records.get(`side-effects/${idempotency_key}`)?.body ?? {};
  const capability_name = text({ capability_name: 'create', ...effect }, 'capability_name');
  const session = sessionOf(tenant, session_id);
  const previous = tenant.envelopes.get(session.newest ?? '');
  const constraints = [...constraintsOf(tenant, session_id)];
  const obligations = [...recordsOf(tenant, `sessions/${session_id}/obligations/`)];
  const idsOf = (records: [string, Body][], status: string) =>
    records.filter(([, body]) => Object.values(body).includes(status)).map(([id]) => id);
  const carried = (field: string, released: string[]) =>
    list(previous?.envelope, field).filter((item) => !released.includes(item));
  const behind = Math.min(previous?.log?.length ?? 0, session.log.length - 1);
  return {
    schema_version: 'continuity-envelope/v1',
    envelope_id,
    session_id,
    source_trace_id: 'trace-1',
    reset_reason: 'context_compaction',
    objective: record['objective'] ?? 'Resolve it.',
    exact_constraint_refs: [
      ...new Set([
        ...carried('exact_constraint_refs', idsOf(constraints, 'withdrawn')),
        ...idsOf(constraints, 'active'),
      ]),
    ],
    pending_obligations: [
      ...new Set([
        ...carried('pending_obligations', idsOf(obligations, 'discharged')),
        ...idsOf(obligations, 'open'),
      ]),
    ],
    principal_id: record['principal_id'] ?? defaults.principal_id,
    authorization_mode: record['authorization_mode'] ?? defaults.authorization_mode,
    delegated_principal_id: '',
    delegated_scope: '',
    policy_version: tenant.records.get('policy')?.body['policy_version'] ?? 'v1',
    capability_name,
    capability_version:
      tenant.records.get(`capabilities/${capability_name}`)?.body['capability_version'] ?? 'v1',
    approval_id: effect['approval_id'] ?? 'a0',
    action_digest: effect['action_digest'] ?? 'd0',
    approval_expires_at: future,
    idempotency_key,
    side_effect_status: effect['side_effect_status'] ?? 'not_started',
    checkpoint_ref: record['checkpoint_ref'] ?? defaults.checkpoint_ref,
    sandbox_snapshot_ref: record['sandbox_snapshot_ref'],
    budget_remaining: record['budget_remaining'],
    source_event_range: {
      first: session.log[behind]?.['event_id'] ?? 'nowhere',
      last: session.log.at(-1)?.['event_id'] ?? 'nowhere',
    },
    summary_sha256: digestOf(summary),
    evidence_refs: [],
    requires_reauthorization: true,
  };
}

const attestedFields = [
  'principal_id',
  'authorization_mode',
  'delegated_principal_id',
  'delegated_scope',
  'policy_version',
  'capability_name',
  'capability_version',
  'approval_id',
  'action_digest',
  'idempotency_key',
  'side_effect_status',
  'checkpoint_ref',
];

function attestedState(envelope: Body, changes: Body): Body {
  const agreeing = Object.fromEntries(attestedFields.map((field) => [field, envelope[field]]));
  return { ...agreeing, approval_status: 'approved', ...changes };
}

function presentedEpoch(change: 'current' | EpochChange, current: number): number | undefined {
  if (change === 'none') return undefined;
  return change === 'stale' ? current + 1 : current;
}

function without(envelope: Body, field: string | undefined): Body {
  return field === undefined ? {} : { [field]: list(envelope, field).slice(1) };
}

function defined(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

function tenantIn(model: Model, name: string): Tenant {
  const tenant = model.get(name);
  if (!tenant) throw new Error(`The model has no tenant ${name}`);
  return tenant;
}

function expectAnswer(command: Command, answer: Answer, expected: Expected, real: Real, call: string): void {
  const told = 'code' in expected ? expected.code : expected.revision;
  const pointer = 'code' in expected ? '/code' : '/revision';
  const got = { status: answer.status, told: told === undefined ? undefined : valueAt(answer.body, pointer) };
  compare(command, answer, { status: expected.status, told }, got);
  count(real, `${call} ${'code' in expected ? expected.code : expected.status}`);
}

function expectDecision(
  command: Command,
  answer: Answer,
  expected: ExpectedDecision,
  real: Real,
  call: string,
): void {
  const { status, reason, findings, epoch, view = {} } = expected;
  const told = (pointer: string) => valueAt(answer.body, pointer);
  const foundBy = told('/findings');
  const got = {
    status: answer.status,
    reason: reason && (told('/reason') ?? told('/code')),
    findings:
      findings && (Array.isArray(foundBy) ? foundBy.map((finding) => valueAt(finding, '/reason')) : foundBy),
    epoch: epoch === undefined ? undefined : told('/session_epoch'),
    view: Object.fromEntries(Object.keys(view).map((field) => [field, told(`/context_view/${field}`)])),
  };
  compare(command, answer, { status, reason, findings, epoch, view }, got);
  count(real, `${call} ${reason ?? status}`);
}

function compare(command: Command, answer: Answer, expected: object, got: object): void {
  const [wanted, found] = [JSON.stringify(expected), JSON.stringify(got)];
  if (wanted !== found) {
    throw new Error(
      `${command.toString()}\nthe model: ${wanted}\nthe gate:  ${found}\n${answer.text.slice(0, 1_500)}`,
    );
  }
}

function count({ tally }: Real, outcome: string): void {
  tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
}
