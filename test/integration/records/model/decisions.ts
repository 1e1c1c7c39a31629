import { recordsOf, same, sessionOf, trace, type Body, type Sealed, type Tenant } from './store.js';

/** What the model expects of a decision: the status, the reason, every finding, and after a go the view. */
export interface ExpectedDecision {
  readonly status: number;
  readonly reason?: string;
  readonly findings?: readonly string[];
  readonly epoch?: number;
  readonly view?: Body;
}

/** Everything that ended before this moment has passed. */
const now = '2026-01-01T00:00:00Z';

export interface SealCall {
  readonly envelope: Body;
  readonly summaryFits: boolean;
  readonly session_epoch: number | undefined;
  readonly released: readonly string[];
}

export function seal(
  tenant: Tenant,
  { envelope, summaryFits, session_epoch, released }: SealCall,
): ExpectedDecision {
  const [id, sessionId] = [text(envelope, 'envelope_id'), text(envelope, 'session_id')];
  const existing = tenant.envelopes.get(id);
  if (existing)
    return same(existing.envelope, envelope) ? { status: 200 } : { status: 409, reason: 'envelope_conflict' };
  const session = sessionOf(tenant, sessionId);
  if ((session_epoch ?? 0) !== session.epoch) {
    trace(tenant, sessionId);
    return { status: 409, reason: 'stale_epoch' };
  }
  if (released.length > 0 && holdsRecords(tenant, envelope)) {
    trace(tenant, sessionId);
    return { status: 403, reason: 'attested_state_refused' };
  }
  const findings = sealingFindings(tenant, envelope, summaryFits, released);
  if (findings.length > 0) {
    trace(tenant, sessionId);
    return decided(findings);
  }
  const constraints = constraintsOf(tenant, sessionId);
  const refs = list(envelope, 'exact_constraint_refs').filter((ref) => constraints.has(ref));
  const end = placeOf(session.log, range(envelope).last);
  const sealed = {
    envelope,
    frozen: new Map(refs.map((ref) => [ref, textOf(constraints.get(ref))])),
    log: session.hasRecords ? session.log.slice(0, end) : undefined,
    principalRecorded: recordOf(tenant, sessionId)?.['principal_id'] === envelope['principal_id'],
  };
  tenant.envelopes.set(id, sealed);
  const binding = `${sessionId} ${text(envelope, 'approval_id')}`;
  if (!whatBinds(tenant, tenant.bindings.get(binding))) tenant.bindings.set(binding, sealed);
  trace(tenant, sessionId, { newest: id });
  return { status: 201 };
}

function sealingFindings(
  tenant: Tenant,
  envelope: Body,
  summaryFits: boolean,
  released: readonly string[],
): string[] {
  const sessionId = text(envelope, 'session_id');
  const session = sessionOf(tenant, sessionId);
  const records = holdsRecords(tenant, envelope);
  const newest = session.newest === undefined ? undefined : tenant.envelopes.get(session.newest);
  const previous = whatBinds(tenant, newest);
  const record = recordOf(tenant, sessionId);
  const effect = effectOf(tenant, envelope);
  const obligations = recordsOf(tenant, `sessions/${sessionId}/obligations/`);
  const constraints = constraintsOf(tenant, sessionId);

  const boundary = previous?.log?.length ?? 0;
  const [first, last] = [
    placeOf(session.log, range(envelope).first),
    placeOf(session.log, range(envelope).last),
  ];
  const covers = first > 0 && last >= first && first <= boundary + 1 && last >= boundary;
  const carried = (field: string, isFree: (item: string) => boolean) =>
    list(previous?.envelope, field).filter((item) => !released.includes(item) && !isFree(item));
  const active = [...constraints]
    .filter(([, { constraint_status }]) => constraint_status === 'active')
    .map(([ref]) => ref);
  const isWithdrawn = (ref: string) => constraints.get(ref)?.['constraint_status'] === 'withdrawn';
  const isDischarged = (id: string) => obligations.get(id)?.['obligation_status'] === 'discharged';
  const open = [...obligations.keys()].filter((id) => !isDischarged(id));
  const firstSealed = whatBinds(tenant, tenant.bindings.get(`${sessionId} ${text(envelope, 'approval_id')}`));
  const leavesOut = (field: string, wanted: readonly string[]) =>
    wanted.some((item) => !list(envelope, field).includes(item));

  return failing([
    ['summary_digest_mismatch', !summaryFits],
    ['event_lineage_mismatch', session.hasRecords && !covers],
    ['principal_mismatch', record !== undefined && record['principal_id'] !== envelope['principal_id']],
    [
      'unknown_side_effect',
      (isUnknown(effect) && envelope['side_effect_status'] !== 'side_effect_unknown') ||
        forgetsUnknown(tenant, previous?.envelope, envelope, released),
    ],
    [
      'approval_binding_changed',
      isBoundElsewhere(tenant, envelope) ||
        isBoundToOthers(envelope, firstSealed?.envelope, previous?.envelope),
    ],
    ['side_effect_status_changed', statusDiffers(tenant, envelope)],
    [
      'constraint_missing',
      leavesOut('exact_constraint_refs', [...active, ...carried('exact_constraint_refs', isWithdrawn)]),
    ],
    [
      'obligation_dropped',
      leavesOut('pending_obligations', [...open, ...carried('pending_obligations', isDischarged)]),
    ],
    ['obligation_unrecognized', records && list(envelope, 'pending_obligations').some(isDischarged)],
  ]);
}

export interface ResumeCall {
  readonly envelope_id: string;
  readonly session_id: string;
  readonly principal_id: string;
  readonly summaryFits: boolean;
  readonly range: Body | undefined;
  readonly session_epoch: number | undefined;
  readonly state: Body | undefined;
}

export function resume(tenant: Tenant, call: ResumeCall): ExpectedDecision {
  const session = sessionOf(tenant, call.session_id);
  const sealed = tenant.envelopes.get(call.envelope_id);
  if (!sealed) {
    trace(tenant, call.session_id);
    return { status: 404, reason: 'envelope_not_found' };
  }
  const { envelope } = sealed;
  if (call.state && holdsRecords(tenant, envelope)) {
    trace(tenant, call.session_id);
    return { status: 403, reason: 'attested_state_refused' };
  }
  const held = call.state ? attested(tenant, envelope, call.state) : recorded(tenant, envelope);
  const findings = resumptionFindings(tenant, sealed, call, held);
  if (findings.length > 0) {
    trace(tenant, call.session_id);
    return decided(findings);
  }
  trace(tenant, call.session_id, { epoch: session.epoch + 1 });
  return { ...decided([]), epoch: session.epoch, view: viewOf(tenant, sealed, call.state) };
}

/** What the source of the present state holds; undefined: it has no such record. */
interface Held {
  readonly session: Body | undefined;
  readonly principal: Body | undefined;
  readonly policy: readonly unknown[];
  readonly capability: readonly unknown[];
  readonly approval: Body | undefined;
  readonly effect: Body | undefined;
  /** Whether the ledger says unknown of this action, or of any other of the session. */
  readonly unknown: boolean;
  readonly missing: boolean;
}

function recorded(tenant: Tenant, envelope: Body): Held {
  const { records } = tenant;
  const bodyOf = (path: string) => records.get(path)?.body;
  const name = text(envelope, 'capability_name');
  const sessionId = text(envelope, 'session_id');
  const held = {
    session: bodyOf(`sessions/${sessionId}`),
    principal: bodyOf(`principals/${text(envelope, 'principal_id')}`),
    policy: present(bodyOf('policy')?.['policy_version']),
    capability: present(bodyOf(`capabilities/${name}`)?.['capability_version']),
    approval: bodyOf(`approvals/${text(envelope, 'approval_id')}`),
    effect: effectOf(tenant, envelope),
  };
  const others = [...recordsOf(tenant, 'side-effects/').values()].filter(
    (effect) => effect['session_id'] === sessionId,
  );
  return {
    ...held,
    unknown: isUnknown(held.effect) || others.some(isUnknown),
    missing:
      [held.session, held.approval, held.effect].includes(undefined) ||
      held.policy.length === 0 ||
      held.capability.length === 0,
  };
}

/** The caller's word, with the tenant's own records beside it. */
function attested(tenant: Tenant, envelope: Body, state: Body): Held {
  const beside = recorded(tenant, envelope);
  return {
    session: { session_status: 'active', ...state },
    principal: beside.principal,
    policy: [state['policy_version'], ...beside.policy],
    capability: [state['capability_version'], ...beside.capability],
    approval: { approval_status: state['approval_status'] },
    effect: state,
    unknown: isUnknown(state),
    missing: false,
  };
}

function resumptionFindings(tenant: Tenant, sealed: Sealed, call: ResumeCall, held: Held): string[] {
  const { envelope } = sealed;
  const session = sessionOf(tenant, text(envelope, 'session_id'));
  const { session: record, approval, effect } = held;
  const constraints = constraintsOf(tenant, text(envelope, 'session_id'));
  const byRecords = call.state === undefined;
  const differs = (source: Body | undefined, field: string) =>
    source?.[field] !== undefined && source[field] !== envelope[field];
  /** Of a record that may lack the field: then there is none. */
  const optionalDiffers = (field: string) =>
    byRecords && record !== undefined && record[field] !== envelope[field];
  const [left, claimed] = [record?.['budget_remaining'], envelope['budget_remaining']].map((budget) =>
    budget === undefined ? undefined : Number(budget),
  );
  const expired = (source: Body | undefined, field: string) =>
    source?.[field] !== undefined && text(source, field) <= now;

  return failing([
    ['envelope_superseded', session.newest !== call.envelope_id],
    ['summary_digest_mismatch', !call.summaryFits],
    [
      'event_lineage_mismatch',
      (call.range !== undefined && !same(call.range, envelope['source_event_range'])) ||
        (byRecords && session.hasRecords && !logHolds(session.log, sealed)),
    ],
    ['principal_mismatch', call.principal_id !== envelope['principal_id'] || differs(record, 'principal_id')],
    ['session_mismatch', call.session_id !== envelope['session_id']],
    ['unknown_side_effect', held.unknown],
    [
      'stale_epoch',
      call.session_epoch !== undefined && call.session_epoch !== sessionOf(tenant, call.session_id).epoch,
    ],
    ['control_state_missing', held.missing],
    ['session_not_active', record !== undefined && record['session_status'] !== 'active'],
    ['principal_not_active', held.principal !== undefined && held.principal['principal_status'] !== 'active'],
    ['authorization_mode_changed', differs(record, 'authorization_mode')],
    ['policy_version_changed', held.policy.some((version) => version !== envelope['policy_version'])],
    ['capability_changed', differs(effect, 'capability_name')],
    [
      'capability_version_changed',
      held.capability.some((version) => version !== envelope['capability_version']),
    ],
    [
      'approval_binding_changed',
      byRecords ? isBoundElsewhere(tenant, envelope) : differs(effect, 'approval_id'),
    ],
    ['action_digest_changed', differs(effect, 'action_digest') || differs(approval, 'action_digest')],
    ['idempotency_key_changed', differs(record, 'idempotency_key')],
    [
      'side_effect_status_changed',
      byRecords
        ? statusDiffers(tenant, envelope)
        : !isUnknown(effect) && differs(effect, 'side_effect_status'),
    ],
    ['checkpoint_changed', differs(record, 'checkpoint_ref')],
    ['sandbox_snapshot_changed', optionalDiffers('sandbox_snapshot_ref')],
    ['objective_changed', byRecords && differs(record, 'objective')],
    [
      'constraint_missing',
      constraintIsMissing(sealed, session.hasRecords ? constraints : undefined, call.state),
    ],
    [
      'constraint_changed',
      byRecords && [...sealed.frozen].some(([ref, frozen]) => textOf(constraints.get(ref)) !== frozen),
    ],
    [
      'constraint_violated',
      byRecords && [...constraints.values()].some((constraint) => forbids(constraint, envelope)),
    ],
    [
      'budget_exhausted',
      byRecords &&
        record !== undefined &&
        (left === undefined ? claimed !== undefined : left === 0 || left < (claimed ?? 0)),
    ],
    ['approval_revoked', approval?.['approval_status'] === 'revoked'],
    [
      'approval_not_active',
      ['pending', 'rejected', 'expired'].includes(String(approval?.['approval_status'])),
    ],
    ['approval_expired', expired(envelope, 'approval_expires_at') || expired(approval, 'expires_at')],
  ]);
}

function constraintIsMissing(
  { envelope }: Sealed,
  constraints: ReadonlyMap<string, Body> | undefined,
  state: Body | undefined,
): boolean {
  const held = state
    ? state['exact_constraint_refs'] && list(state, 'exact_constraint_refs')
    : constraints && [...constraints.keys()];
  return Array.isArray(held) && list(envelope, 'exact_constraint_refs').some((ref) => !held.includes(ref));
}

/** What the run is told of what binds it and what it owes. */
function viewOf(tenant: Tenant, { envelope, log }: Sealed, state: Body | undefined): Body {
  const sessionId = text(envelope, 'session_id');
  const session = sessionOf(tenant, sessionId);
  const constraints = state ? new Map<string, Body>() : constraintsOf(tenant, sessionId);
  const obligations = state
    ? new Map<string, Body>()
    : recordsOf(tenant, `sessions/${sessionId}/obligations/`);
  const statusIs = (status: string) => (body: Body | undefined) =>
    body?.['constraint_status'] === status || body?.['obligation_status'] === status;
  const [isActive, isWithdrawn, isDischarged] = [
    statusIs('active'),
    statusIs('withdrawn'),
    statusIs('discharged'),
  ];
  const refs = union(
    list(envelope, 'exact_constraint_refs'),
    state
      ? list(state, 'exact_constraint_refs')
      : [...constraints.keys()].filter((ref) => isActive(constraints.get(ref))).sort(),
  ).filter((ref) => !isWithdrawn(constraints.get(ref)));
  const owed = union(
    list(envelope, 'pending_obligations'),
    state
      ? list(state, 'pending_obligations')
      : [...obligations.keys()].filter((id) => !isDischarged(obligations.get(id))).sort(),
  );
  return {
    constraints: refs.map((ref) => ({
      ref,
      text: constraints.get(ref)?.['text'] ?? null,
      forbids_capability: constraints.get(ref)?.['forbids_capability'] ?? null,
    })),
    pending_obligations: owed.filter((id) => !isDischarged(obligations.get(id))),
    discharged_obligations: list(envelope, 'pending_obligations').filter((id) =>
      isDischarged(obligations.get(id)),
    ),
    uncovered_total: log ? session.log.length - log.length : 0,
  };
}

/** The constraints of a session, by reference. */
export function constraintsOf(tenant: Tenant, sessionId: string): Map<string, Body> {
  return new Map(
    [...recordsOf(tenant, 'constraints/')].filter(([, { session_id }]) => session_id === sessionId),
  );
}

export function holdsRecords(tenant: Tenant, envelope: Body): boolean {
  return (
    sessionOf(tenant, text(envelope, 'session_id')).hasRecords ||
    tenant.records.has(`approvals/${text(envelope, 'approval_id')}`) ||
    effectOf(tenant, envelope) !== undefined
  );
}

function effectOf(tenant: Tenant, envelope: Body): Body | undefined {
  return tenant.records.get(`side-effects/${text(envelope, 'idempotency_key')}`)?.body;
}

export function isUnknown(effect: Body | undefined): boolean {
  return effect?.['side_effect_status'] === 'side_effect_unknown';
}

function isBoundElsewhere(tenant: Tenant, envelope: Body): boolean {
  const effect = effectOf(tenant, envelope);
  const approval = tenant.records.get(`approvals/${text(envelope, 'approval_id')}`)?.body;
  return (
    (effect !== undefined &&
      ['approval_id', 'session_id'].some((field) => effect[field] !== envelope[field])) ||
    (approval !== undefined &&
      ['session_id', 'capability_name'].some((field) => approval[field] !== envelope[field]))
  );
}

function statusDiffers(tenant: Tenant, envelope: Body): boolean {
  const effect = effectOf(tenant, envelope);
  if (!effect || isUnknown(effect) || effect['side_effect_status'] === envelope['side_effect_status'])
    return false;
  return !(isUnknown(envelope) && tenant.settled.has(text(envelope, 'idempotency_key')));
}

function forbids(constraint: Body, envelope: Body): boolean {
  return (
    constraint['constraint_status'] === 'active' &&
    constraint['forbids_capability'] === envelope['capability_name']
  );
}

/** Whether the log still holds the sealed range as it was. */
function logHolds(log: readonly Body[], { envelope, log: sealed }: Sealed): boolean {
  const [first, last] = [placeOf(log, range(envelope).first), placeOf(log, range(envelope).last)];
  return sealed !== undefined && first > 0 && last >= first && same(log.slice(0, last), sealed);
}

/** From 1; 0 of what is not in the log. */
function placeOf(log: readonly Body[], eventId: unknown): number {
  return log.findIndex(({ event_id }) => event_id === eventId) + 1;
}

function range(envelope: Body) {
  return envelope['source_event_range'] as { first: string; last: string };
}

/** An envelope that binds its session: not one that was sealed before the records named another principal. */
function whatBinds(tenant: Tenant, sealed: Sealed | undefined): Sealed | undefined {
  const record = sealed && recordOf(tenant, text(sealed.envelope, 'session_id'));
  const isStranger = record !== undefined && record['principal_id'] !== sealed?.envelope['principal_id'];
  return isStranger && !sealed?.principalRecorded ? undefined : sealed;
}

function recordOf(tenant: Tenant, sessionId: string): Body | undefined {
  return tenant.records.get(`sessions/${sessionId}`)?.body;
}

/** Whether the approval was sealed under something else at first, or with an earlier end then or the last time. */
function isBoundToOthers(envelope: Body, first: Body | undefined, previous: Body | undefined): boolean {
  if (!first) return false;
  const fields = ['policy_version', 'capability_version', 'action_digest', 'idempotency_key'];
  const again = previous && previous['approval_id'] === envelope['approval_id'] ? [previous] : [];
  const end = Date.parse(text(envelope, 'approval_expires_at'));
  return (
    fields.some((field) => first[field] !== envelope[field]) ||
    [first, ...again].some((sealed) => Date.parse(text(sealed, 'approval_expires_at')) < end)
  );
}

/** Whether an effect that was sealed as unknown, and that no ledger holds, is not said to be unknown any more. */
function forgetsUnknown(
  tenant: Tenant,
  previous: Body | undefined,
  envelope: Body,
  released: readonly string[],
): boolean {
  if (!previous) return false;
  const key = text(previous, 'idempotency_key');
  const isUnresolved =
    previous['side_effect_status'] === 'side_effect_unknown' &&
    !tenant.records.has(`side-effects/${key}`) &&
    !released.includes(key);
  const isCarriedOn =
    envelope['idempotency_key'] === key && envelope['side_effect_status'] === 'side_effect_unknown';
  return isUnresolved && !isCarriedOn;
}

function textOf(constraint: Body | undefined): string {
  return JSON.stringify([constraint?.['text'], constraint?.['forbids_capability']]);
}

function present(value: unknown): unknown[] {
  return value === undefined ? [] : [value];
}

function union(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])];
}

export function list(source: Body | undefined, field: string): string[] {
  const value = source?.[field];
  return Array.isArray(value) ? value.map(String) : [];
}

export function text(source: Body, field: string): string {
  const value = source[field];
  if (typeof value === 'string') return value;
  throw new Error(`There is no ${field} in ${JSON.stringify(source)}`);
}

function failing(rules: readonly (readonly [reason: string, fails: boolean])[]): string[] {
  return rules.filter(([, fails]) => fails).map(([reason]) => reason);
}

function decided(findings: readonly string[]): ExpectedDecision {
  const [reason = 'continuity_validated'] = findings;
  if (findings.length === 0) return { status: 200, reason, findings };
  return { status: reason === 'unknown_side_effect' ? 409 : 422, reason, findings };
}
