import type { Static } from '@sinclair/typebox';

import type { StoredDecision } from '../app/stored.js';
import { authorizationRequest } from '../domain/authorization-request.js';
import { contextView, type ResumedContext } from '../domain/context-view.js';
import { controlStateSourceOf, disclose, sealedMembers, toldFindings } from '../domain/disclosure.js';
import type { ComparedFacts } from '../domain/facts.js';
import type { Replay } from '../domain/replay.js';
import { reconciliationHref } from './reconciliation-href.js';
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
    authorization_request: authorizationRequest(facts.envelope, granted.session_epoch),
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
