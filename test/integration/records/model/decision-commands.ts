import fc from 'fast-check';

import { digestOf } from '../../../support/requests.js';
import { constraintsOf, list, resume, seal, text } from './decisions.js';
import { recordsOf, sessionOf, type Body, type Tenant } from './store.js';
import {
  command,
  defaults,
  defined,
  eventId,
  future,
  holdDecision,
  mostly,
  past,
  presentedEpoch,
  sessionId,
  sessionIds,
  someOf,
  summary,
  tenantIn,
  tenantName,
  type EpochChange,
  type ModelCommand,
} from './world.js';

/** Seals what agrees with the records, but for what is changed. */
function sealEnvelope(name: string, session: string, id: string, changes: SealChanges): ModelCommand {
  return command(`seal ${name} ${session} ${id} ${JSON.stringify(changes)}`, async (model, real) => {
    const tenant = tenantIn(model, name);
    const { presented = summary, epoch = 'current', released = [], drop, again, set } = changes;
    const before = again ? tenant.envelopes.get(id) : undefined;
    const fitting = before?.envelope ?? fittingEnvelope(tenant, session, id);
    const envelope = defined({ ...fitting, ...(drop && { [drop]: list(fitting, drop).slice(1) }), ...set });
    const session_epoch = presentedEpoch(epoch, sessionOf(tenant, text(envelope, 'session_id')).epoch);
    const expected = seal(tenant, { envelope, summaryFits: presented === summary, session_epoch, released });

    const answer = await real.gate.seal({
      continuity_envelope: { ...envelope, tenant_id: real.prefix + name },
      summary: presented,
      session_epoch,
      ...(released.length > 0 && { released: released.map((ref) => ({ ref, evidence_refs: ['e0'] })) }),
    });

    holdDecision('seal', answer, expected, real);
  });
}

interface SealChanges {
  readonly presented?: string;
  readonly epoch?: EpochChange;
  readonly released?: readonly string[];
  /** A list of which the first entry is left out. */
  readonly drop?: 'exact_constraint_refs' | 'pending_obligations';
  /** Sends what was sealed under the id before. */
  readonly again?: boolean;
  /** Fields of the envelope. */
  readonly set?: Body;
}

const fields = fc.oneof(
  fc.constantFrom<Body[]>(
    { principal_id: 'p1' },
    { policy_version: 'v2' },
    { capability_version: 'v2' },
    { action_digest: 'd1' },
    { approval_id: 'a1' },
    { approval_id: 'a2' },
    { idempotency_key: 'k1' },
    { capability_name: 'close' },
    { side_effect_status: 'not_started' },
    { side_effect_status: 'side_effect_unknown' },
    { side_effect_status: 'side_effect_committed' },
    { approval_expires_at: past },
    { checkpoint_ref: 'c1' },
    { objective: 'Close it.' },
    { sandbox_snapshot_ref: 'n0' },
    { budget_remaining: 8 },
    { exact_constraint_refs: ['r0', 'unrecorded'] },
    { pending_obligations: ['o0', 'unrecorded'] },
  ),
  fc.tuple(eventId, eventId).map(([first, last]) => ({ source_event_range: { first, last } })),
);

const sealChanges = someOf<SealChanges>([
  fc.constant({ presented: 'Another one.' }),
  fc.constantFrom({ epoch: 'none' }, { epoch: 'stale' }),
  fc.constantFrom({ released: ['r0', 'o0'] }, { released: ['o1'] }),
  fc.constantFrom({ drop: 'exact_constraint_refs' }, { drop: 'pending_obligations' }),
  fc.constant({ again: true }),
  ...Array.from({ length: 4 }, () => fields.map((set) => ({ set }))),
]);

export const sealings: fc.Arbitrary<ModelCommand> = fc
  .tuple(tenantName, sessionId, fc.nat(15), sealChanges)
  .map(([tenant, session, number, change]) => sealEnvelope(tenant, session, `e${number}`, change));

/** Resumes from the session's newest envelope, but for what is changed. */
function resumeSession(name: string, session: string, changes: ResumeChanges): ModelCommand {
  return command(
    `resume ${name} ${session} ${JSON.stringify(changes)}`,
    async (model, real) => {
      const tenant = tenantIn(model, name);
      const { presented = summary, epoch = 'none', session_id = session } = changes;
      const envelope_id = changes.envelope_id ?? sessionOf(tenant, session).newest ?? 'e0';
      const sealed = tenant.envelopes.get(envelope_id)?.envelope;
      const envelope = sealed ?? fittingEnvelope(tenant, session, envelope_id);
      const state = changes.state && attestedState(envelope, changes.state);
      const call = {
        envelope_id,
        session_id,
        principal_id: changes.principal_id ?? text(envelope, 'principal_id'),
        session_epoch: presentedEpoch(epoch, sessionOf(tenant, session_id).epoch),
      };
      // Attested state comes with a range.
      const range = changes.range ?? (state && (envelope['source_event_range'] as Body));
      const expected = resume(tenant, { ...call, summaryFits: presented === summary, range, state });

      const tenant_id = real.prefix + name;
      const answer = await real.gate.rehydrate({
        ...call,
        tenant_id,
        trace_id: 'trace-2',
        summary: presented,
        source_event_range: range,
        current_state: state && { ...state, tenant_id },
      });

      holdDecision(state ? 'resume attested' : 'resume', answer, expected, real);
    },
    (model) =>
      changes.envelope_id !== undefined || sessionOf(tenantIn(model, name), session).newest !== undefined,
  );
}

interface ResumeChanges {
  readonly envelope_id?: string;
  readonly session_id?: string;
  readonly principal_id?: string;
  readonly presented?: string;
  readonly range?: Body;
  readonly epoch?: EpochChange;
  /** Changes to a state that agrees with the envelope. */
  readonly state?: Body;
}

/** What the reference's control state has in common with an envelope. */
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

function attestedState(envelope: Body, changed: Body): Body {
  const agreeing = Object.fromEntries(attestedFields.map((field) => [field, envelope[field]]));
  return { ...agreeing, approval_status: 'approved', ...changed };
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
  fc.constant({ presented: 'Another one.' }),
  fc.constantFrom({ epoch: 'current' }, { epoch: 'stale' }),
  fc.tuple(eventId, eventId).map(([first, last]) => ({ range: { first, last } })),
  states.map((state) => ({ state })),
]);

export const resumptions: fc.Arbitrary<ModelCommand> = fc
  .tuple(tenantName, sessionId, resumeChanges)
  .map(([tenant, session, change]) => resumeSession(tenant, session, change));

/** An envelope of the session that agrees with all that is on record. */
export function fittingEnvelope(tenant: Tenant, session_id: string, envelope_id: string): Body {
  const bodyOf = (path: string): Body => tenant.records.get(path)?.body ?? {};
  const record = { ...defaults, objective: 'Resolve it.', ...bodyOf(`sessions/${session_id}`) };
  const action = {
    capability_name: 'create',
    approval_id: 'a0',
    action_digest: 'd0',
    side_effect_status: 'not_started',
    ...bodyOf(`side-effects/${text(record, 'idempotency_key')}`),
  };
  return {
    schema_version: 'continuity-envelope/v1',
    envelope_id,
    session_id,
    source_trace_id: 'trace-1',
    reset_reason: 'context_compaction',
    objective: record.objective,
    exact_constraint_refs: carried(tenant, session_id, 'exact_constraint_refs'),
    pending_obligations: carried(tenant, session_id, 'pending_obligations'),
    principal_id: record.principal_id,
    authorization_mode: record.authorization_mode,
    delegated_principal_id: '',
    delegated_scope: '',
    policy_version: bodyOf('policy')['policy_version'] ?? 'v1',
    capability_name: action.capability_name,
    capability_version: bodyOf(`capabilities/${action.capability_name}`)['capability_version'] ?? 'v1',
    approval_id: action.approval_id,
    action_digest: action.action_digest,
    approval_expires_at: future,
    idempotency_key: record.idempotency_key,
    side_effect_status: action.side_effect_status,
    checkpoint_ref: record.checkpoint_ref,
    sandbox_snapshot_ref: bodyOf(`sessions/${session_id}`)['sandbox_snapshot_ref'],
    budget_remaining: bodyOf(`sessions/${session_id}`)['budget_remaining'],
    source_event_range: uncovered(tenant, session_id),
    summary_sha256: digestOf(summary),
    evidence_refs: [],
    requires_reauthorization: true,
  };
}

/** What binds or is owed, and what the newest envelope carries of it, without what is withdrawn or discharged. */
function carried(tenant: Tenant, sessionId: string, field: string): string[] {
  const records =
    field === 'exact_constraint_refs'
      ? constraintsOf(tenant, sessionId)
      : recordsOf(tenant, `sessions/${sessionId}/obligations/`);
  const idsOf = (...statuses: string[]) =>
    [...records]
      .filter(([, body]) => Object.values(body).some((value) => statuses.includes(String(value))))
      .map(([id]) => id);
  const done = idsOf('withdrawn', 'discharged');
  const before = list(newestOf(tenant, sessionId)?.envelope, field).filter((item) => !done.includes(item));
  return [...new Set([...before, ...idsOf('active', 'open')])];
}

/** From behind the newest envelope's range to the end of the log, or its last event alone. */
function uncovered(tenant: Tenant, sessionId: string): Body {
  const { log } = sessionOf(tenant, sessionId);
  const from = Math.min(newestOf(tenant, sessionId)?.log?.length ?? 0, log.length - 1);
  const [first, last] = [log[from], log.at(-1)].map((event) => event?.['event_id'] ?? 'nowhere');
  return { first, last };
}

function newestOf(tenant: Tenant, sessionId: string) {
  return tenant.envelopes.get(sessionOf(tenant, sessionId).newest ?? '');
}
