import { trace } from '@opentelemetry/api';
import type { Static } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';

import type { StoredDecision } from '../app/stored.js';
import { authorizationRequests } from '../domain/authorization-request.js';
import { contextView, type ResumedContext } from '../domain/context-view.js';
import { controlStateSourceOf, disclose, sealedMembers, toldFindings } from '../domain/disclosure.js';
import type { ComparedFacts } from '../domain/facts.js';
import type { Replay } from '../domain/replay.js';
import type { DecisionStatus, Phase } from '../domain/vocabulary.js';
import { Problem, problems } from './problems.js';
import type { GoDecision, RecordedDecision, StopDecision } from './schemas/decision.js';

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
    control_state_source: controlStateSourceOf(stored.facts),
    trace_event: stored.trace_event,
  };
}

/** A stop, told with as much of what was sealed as whoever asks may know. */
export function stopBody(stored: StoredDecision): Static<typeof StopDecision> {
  const { sealed, missing, unresolved } = disclose(stored.decision, stored.facts);
  const body = { ...commonBody(stored), ...stopOf(stored) };
  const href = (key: string) =>
    body.control_state_source === 'attested' ? null : reconciliationHref(stored.tenant_id, key);
  return {
    ...body,
    findings: toldFindings(body.findings),
    ...sealed,
    ...(missing && { missing }),
    ...(unresolved && {
      reconciliation: unresolved.map((effect) => ({ ...effect, href: href(effect.idempotency_key) })),
    }),
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
    ...sealedMembers(facts.envelope, facts.current),
    status: 'reauthorization_required',
    reason: 'continuity_validated',
    session_epoch: granted.session_epoch,
    held_by: granted.held_by,
    receipt,
    context_view: contextView(context),
    ...authorizationRequests(facts, granted.session_epoch),
  };
}

/** A past decision with its facts and the rules that it was made by, and what today's rules make of them. */
export function recordedBody(stored: StoredDecision, replayed: Replay): Static<typeof RecordedDecision> {
  return {
    ...commonBody(stored),
    ...stored.granted,
    rules_version: stored.rules_version,
    facts: stored.facts,
    replayed,
  };
}

/** What each decision means for its caller. */
export const statusMeanings: Readonly<Record<DecisionStatus, string>> = {
  reauthorization_required:
    'Continuity holds. Rebuild the context from the context view, then ask for authorization before the next call.',
  blocked_on_reconciliation:
    'A side effect may already have happened. Find out, settle it under its idempotency key, and ask again.',
  continuity_validation_failed:
    'Something that the run relied on no longer holds. Do not resume from this envelope.',
};

/** The HTTP status of each decision: a caller that looks at nothing but "2xx" stops when it should. */
export const decisionHttpStatus: Readonly<Record<DecisionStatus, number>> = {
  reauthorization_required: 200,
  blocked_on_reconciliation: 409,
  continuity_validation_failed: 422,
};

/** Answers with a stop. One that was made before any rule could be asked has a status and an error of its own. */
export function sendStop(reply: FastifyReply, stored: StoredDecision): FastifyReply {
  const { facts, decision } = stored;
  if (facts.kind === 'refused') throw new Problem(facts.refusal, problems[facts.refusal].meaning);
  return reply.code(decisionHttpStatus[decision.status]).send(stopBody(stored));
}

/** Makes a decision visible to operators: in its metrics, and on the span of the request. */
export function noteDecision(
  app: FastifyInstance,
  phase: Phase,
  { decision, session_id }: StoredDecision,
): void {
  const { status, reason } = decision;
  app.metrics.decided(phase, decision);
  trace.getActiveSpan()?.setAttributes({
    'continuity.decision.phase': phase,
    'continuity.decision.status': status,
    'continuity.decision.reason': reason,
    'gen_ai.conversation.id': session_id,
  });
}

/** Where an effect of a tenant is settled. */
export function reconciliationHref(tenantId: string, idempotencyKey: string): string {
  return `/tenants/${encodeURIComponent(tenantId)}/side-effects/${encodeURIComponent(idempotencyKey)}/reconciliation`;
}
