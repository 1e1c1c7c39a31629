import { isDeepStrictEqual } from 'node:util';

import type { Static } from '@sinclair/typebox';

import type { ResumedContext } from '../app/context.js';
import type { Decision } from '../domain/decide.js';
import type { ComparedFacts, ControlStateFacts, DecisionFacts, EnvelopeFacts } from '../domain/facts.js';
import { missingRecords } from '../domain/missing-records.js';
import { versionsOf } from '../domain/trace.js';
import type { ControlStateSource, FindingReason, RefusalReason } from '../domain/vocabulary.js';
import type { ConstraintText } from '../store/constraint-texts.js';
import type { StoredDecision } from '../store/decisions.js';
import { reconciliationHref } from './reconciliation-href.js';
import type {
  AuthorizationRequest,
  ContextView,
  GoDecision,
  RecordedDecision,
  StopDecision,
} from './schemas/decision.js';

/** The members of a decision that every answer with it has, made from what is stored. */
export function commonBody(stored: StoredDecision) {
  return {
    ...stored.decision,
    decision_id: stored.decision_id,
    envelope_id: stored.envelope_id,
    session_id: stored.session_id,
    tenant_id: stored.tenant_id,
    trace_id: stored.trace_id,
    decided_at: stored.facts.decided_at,
    control_state_source: sourceOf(stored.facts),
    trace_event: stored.trace_event,
  };
}

/** A stop, told with as much of what was sealed as whoever asks may know. */
export function stopBody(stored: StoredDecision): Static<typeof StopDecision> {
  const { facts } = stored;
  const body = { ...commonBody(stored), ...stopOf(stored) };
  if (facts.kind === 'refused' || found(stored, ...identityReasons)) return body;
  const { envelope, current } = facts;
  return {
    ...body,
    ...sealedBody(envelope, current),
    ...(found(stored, 'control_state_missing') && current && { missing: missingRecords(envelope, current) }),
    ...(found(stored, 'unknown_side_effect') &&
      !found(stored, ...reasonsBeforeEffects) &&
      current && { reconciliation: reconciliationOf(envelope, current) }),
  };
}

/** A decision that let a run resume. */
export type StoredGo = StoredDecision & {
  readonly facts: ComparedFacts;
  readonly granted: NonNullable<StoredDecision['granted']>;
};

export function isGo(stored: StoredDecision): stored is StoredGo {
  const { decision, granted, facts } = stored;
  return decision.status === 'reauthorization_required' && granted !== null && facts.kind === 'compared';
}

/** The status and the reason of a stop. What can be neither a go nor a stop is a bug. */
function stopOf({ decision: { status, reason } }: StoredDecision) {
  if (status === 'reauthorization_required' || reason === 'continuity_validated') {
    throw new TypeError('A go is no stop');
  }
  return { status, reason };
}

/** A go, with what the context may be rebuilt from and what to ask before the next call. */
export function goBody(
  stored: StoredGo,
  context: ResumedContext,
  receipt: string,
): Static<typeof GoDecision> {
  const { facts, granted } = stored;
  return {
    ...commonBody(stored),
    ...sealedBody(facts.envelope, facts.current),
    status: 'reauthorization_required',
    reason: 'continuity_validated',
    session_epoch: granted.session_epoch,
    held_by: granted.held_by,
    receipt,
    context_view: contextView(context),
    authorization_request: authorizationRequest(facts.envelope, granted.session_epoch),
  };
}

/** A past decision with its facts, and what today's rules make of them. */
export function recordedBody(stored: StoredDecision, replayed: Decision): Static<typeof RecordedDecision> {
  const { status, reason } = replayed;
  const same =
    status === stored.decision.status && isDeepStrictEqual(replayed.findings, stored.decision.findings);
  return {
    ...commonBody(stored),
    ...stored.granted,
    facts: stored.facts,
    replayed: { status, reason, same },
  };
}

/** The rules of who is asking: after one of them, nothing of the envelope is told. */
const identityReasons: FindingReason[] = ['tenant_mismatch', 'principal_mismatch', 'session_mismatch'];

/** The rules that come before the one about unknown effects. */
const reasonsBeforeEffects: FindingReason[] = [
  'schema_version_unsupported',
  'envelope_integrity_mismatch',
  'envelope_superseded',
  'summary_digest_mismatch',
  'event_lineage_mismatch',
  ...identityReasons,
];

function found({ decision }: StoredDecision, ...reasons: (FindingReason | RefusalReason)[]): boolean {
  return decision.findings.some(({ reason }) => reasons.includes(reason));
}

/** Where no records speak, the caller's word is all there is. */
function sourceOf(facts: DecisionFacts): ControlStateSource {
  if (facts.kind === 'refused') return facts.refusal === 'attested_state_refused' ? 'attested' : 'records';
  return facts.current?.source ?? 'attested';
}

function sealedBody(envelope: EnvelopeFacts, current: ControlStateFacts | null) {
  return {
    source_trace_id: envelope.source_trace_id,
    checkpoint_ref: envelope.checkpoint_ref,
    versions: versionsOf(envelope),
    idempotency_key: envelope.action.idempotency_key,
    side_effect_status: current?.side_effect?.side_effect_status ?? null,
    pending_obligations: obligationsOf(envelope, current).pending,
  };
}

/** What was sealed as owed and what has joined it since, without what has been done since. */
function obligationsOf(envelope: EnvelopeFacts, current: ControlStateFacts | null) {
  const withStatus = (status: 'open' | 'discharged') =>
    (current?.obligations ?? [])
      .filter(({ obligation_status }) => obligation_status === status)
      .map(({ obligation_id }) => obligation_id);
  const discharged = new Set(withStatus('discharged'));
  const owed = new Set([...envelope.pending_obligations, ...withStatus('open')]);
  return {
    pending: [...owed].filter((obligation) => !discharged.has(obligation)),
    discharged: envelope.pending_obligations.filter((obligation) => discharged.has(obligation)),
  };
}

function reconciliationOf(envelope: EnvelopeFacts, current: ControlStateFacts) {
  const own =
    current.side_effect?.side_effect_status === 'side_effect_unknown'
      ? [
          {
            idempotency_key: envelope.action.idempotency_key,
            capability_name: current.side_effect.capability_name,
          },
        ]
      : [];
  return [...own, ...current.other_unknown_side_effects].map((effect) => ({
    ...effect,
    href:
      current.source === 'attested' ? null : reconciliationHref(envelope.tenant_id, effect.idempotency_key),
  }));
}

function contextView({ envelope, facts, constraints, uncovered_events, uncovered_total }: ResumedContext) {
  const { current } = facts;
  const { pending, discharged } = obligationsOf(facts.envelope, current);
  return {
    objective: envelope.objective,
    constraints: constraintsInView(envelope.exact_constraint_refs, current, constraints),
    pending_obligations: pending,
    discharged_obligations: discharged,
    checkpoint_ref: envelope.checkpoint_ref,
    sandbox_snapshot_ref: envelope.sandbox_snapshot_ref ?? null,
    budget_remaining: current.session?.budget_remaining ?? envelope.budget_remaining ?? null,
    source_event_range: envelope.source_event_range,
    uncovered_events: uncovered_events.map(({ event_id, event_type, sequence }) => ({
      event_id,
      event_type,
      sequence,
    })),
    uncovered_total,
    summary: { trust: 'untrusted', sha256: envelope.summary_sha256 },
  } satisfies Static<typeof ContextView>;
}

/** The sealed constraints and those that have joined since; not those that were withdrawn. */
function constraintsInView(
  sealed: readonly string[],
  { constraints = [] }: ControlStateFacts,
  texts: readonly ConstraintText[],
) {
  const withdrawn = new Set(
    constraints.filter(({ constraint_status }) => constraint_status === 'withdrawn').map(({ ref }) => ref),
  );
  const byRef = new Map(texts.map((constraint) => [constraint.ref, constraint]));
  const refs = new Set([...sealed, ...constraints.map(({ ref }) => ref)]);
  return [...refs]
    .filter((ref) => !withdrawn.has(ref))
    .map((ref) => byRef.get(ref) ?? { ref, text: null, forbids_capability: null });
}

function authorizationRequest(envelope: EnvelopeFacts, session_epoch: number) {
  const { action } = envelope;
  return {
    subject: { type: 'principal', id: envelope.principal_id },
    action: { name: action.capability_name },
    resource: { type: 'idempotency_key', id: action.idempotency_key },
    context: {
      tenant_id: envelope.tenant_id,
      session_id: envelope.session_id,
      session_epoch,
      action_digest: action.action_digest,
      approval_id: action.approval_id,
      authorization_mode: envelope.authorization_mode,
      delegated_principal_id: envelope.delegated_principal_id,
      delegated_scope: envelope.delegated_scope,
      policy_version: envelope.policy_version,
      capability_version: action.capability_version,
    },
  } satisfies Static<typeof AuthorizationRequest>;
}
