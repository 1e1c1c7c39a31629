import { uuidv7 } from 'uuidv7';

import { decide, type Decision } from '../domain/decide.js';
import { canonicalDigest } from '../domain/digest.js';
import type { ResumedContext } from '../domain/context-view.js';
import { envelopeDigest } from '../domain/envelope/sealed.js';
import { envelopeFacts, isKnown } from '../domain/envelope/versions.js';
import type { PresentedFacts, RehydrationFacts } from '../domain/facts.js';
import type { RefusalReason } from '../domain/reasons.js';
import { rulesVersion } from '../domain/rules.js';
import type { RehydrateRequest } from '../domain/requests.js';
import { attestedStateFacts } from '../domain/to-facts.js';
import { rehydrationContent, revisionsOf, stopContent, type TraceContent } from '../domain/trace.js';
import { authorOf, type Caller } from './caller.js';
import { linkEvent } from './session-chain.js';
import type { Decided, Known, Store } from './store.js';
import type { KeyClaim, StoredDecision } from './stored.js';

export type RehydrationResult =
  | {
      readonly kind: 'decided';
      readonly stored: StoredDecision;
      /** There after a go. */
      readonly context: ResumedContext | undefined;
    }
  /** The `Idempotency-Key` stands for another request. */
  | { readonly kind: 'idempotency_key_reused' };

/**
 * Decides whether a run may resume, stores the decision with its facts, and leaves its event, all or nothing.
 *
 * With an idempotency key, a repeated request gets its stop again as it was, and its go only as long as that still
 * holds; else it is decided anew.
 */
export async function rehydrate(
  store: Store,
  request: RehydrateRequest,
  caller: Caller,
  idempotencyKey?: string,
): Promise<RehydrationResult> {
  const decision_id = uuidv7();
  const claim =
    idempotencyKey === undefined ? undefined : claimOf(request, caller, idempotencyKey, decision_id);
  const question = { session: request, envelope_id: request.envelope_id, claim };
  return store.decide<RehydrationResult>(question, (known) => {
    const resumption: Resumption = { ...known, request, caller, decision_id };
    return claim && known.kept
      ? answerAgain(resumption, claim, known.kept)
      : decideNow(resumption, factsOf(resumption));
  });
}

/** One request to resume, with what is known behind the lock of the session's head. */
interface Resumption extends Known {
  readonly request: RehydrateRequest;
  readonly caller: Caller;
  /** The id of the decision, if one has to be made. */
  readonly decision_id: string;
}

function decideNow(resumption: Resumption, facts: RehydrationFacts): Decided<RehydrationResult> {
  const { request, decision_id, head } = resumption;
  const decision = decide(facts);
  const granted = grantOf(resumption, decision);
  const event = linkEvent(head, originOf(resumption, decision), contentOf(resumption, facts, decision));
  const stored: StoredDecision = {
    decision_id,
    tenant_id: request.tenant_id,
    session_id: request.session_id,
    envelope_id: request.envelope_id,
    trace_id: request.trace_id,
    decision,
    facts,
    rules_version: rulesVersion,
    granted,
    trace_event: { event_id: event.event_id, event_type: event.event_type },
  };
  const context = granted ? contextOf(resumption, facts) : undefined;
  return {
    result: { kind: 'decided', stored, context },
    changes: { event, head: granted ? { ...head, ...granted } : head, decision: stored },
  };
}

function answerAgain(
  resumption: Resumption,
  claim: KeyClaim,
  kept: NonNullable<Known['kept']>,
): Decided<RehydrationResult> {
  if (kept.request_sha256 !== claim.request_sha256) return { result: { kind: 'idempotency_key_reused' } };
  const { decision: stored } = kept;
  if (stored && !stored.granted) return { result: { kind: 'decided', stored, context: undefined } };
  const facts = factsOf(resumption);
  if (stored?.granted && stillHolds(resumption, facts, stored.granted)) {
    return { result: { kind: 'decided', stored, context: contextOf(resumption, facts) } };
  }
  const { result, changes } = decideNow(resumption, facts);
  return { result, ...(changes && { changes: { ...changes, kept_key: claim.idempotency_key } }) };
}

/** Whether a go is still the session's last one and would be given again by what holds now. */
function stillHolds(
  { head }: Resumption,
  facts: RehydrationFacts,
  granted: NonNullable<StoredDecision['granted']>,
): boolean {
  if (head.session_epoch !== granted.session_epoch) return false;
  // The request presented the epoch that it found; its own go has moved it on by one.
  const before = granted.session_epoch - 1;
  return (
    decide(facts.kind === 'compared' ? { ...facts, session_epoch: before } : facts).findings.length === 0
  );
}

function factsOf(resumption: Resumption): RehydrationFacts {
  const { request, caller, head, now, envelope, recorded } = resumption;
  const presented = presentedBy(request);
  const { current_state } = request;
  const refuse = (refusal: RefusalReason) => ({
    kind: 'refused' as const,
    decided_at: now,
    refusal,
    presented,
  });
  if (current_state && !caller.mayAttest) return refuse('attested_state_refused');
  if (!envelope || !recorded) return refuse('envelope_not_found');
  // One mode a session: once there are records, nobody's account of the present stands beside them.
  if (current_state && recorded.holdsRecords) return refuse('attested_state_refused');
  return {
    kind: 'compared',
    decided_at: now,
    presented,
    envelope: envelopeFacts(envelope),
    stored_envelope_sha256: envelopeDigest(envelope.envelope),
    newest_envelope_id: envelope.newest_envelope_id,
    session_epoch: head.session_epoch,
    current: current_state ? attestedStateFacts(current_state, recorded.tenant) : recorded.facts,
  };
}

/** What the decision was made from, and the texts that were read with it. */
function contextOf(
  { head, envelope, constraints, uncovered_events }: Resumption,
  facts: RehydrationFacts,
): ResumedContext | undefined {
  if (!envelope || !isKnown(envelope.envelope) || facts.kind !== 'compared') return undefined;
  const { last_sequence } = envelope;
  const uncovered_total = last_sequence === null ? 0 : head.events.sequence - last_sequence;
  return { envelope: envelope.envelope, facts, constraints, uncovered_events, uncovered_total };
}

function presentedBy(request: RehydrateRequest): PresentedFacts {
  const { envelope_id, tenant_id, principal_id, session_id, summary_sha256 } = request;
  return {
    envelope_id,
    tenant_id,
    principal_id,
    session_id,
    summary_sha256,
    source_event_range: request.source_event_range ?? null,
    session_epoch: request.session_epoch ?? null,
  };
}

/** What a go changes of the session's head: the epoch moves on, and the run that resumed earlier is fenced off. */
function grantOf({ request, caller, head, now }: Resumption, decision: Decision) {
  if (decision.status !== 'reauthorization_required') return null;
  return {
    session_epoch: head.session_epoch + 1,
    held_by: request.runtime_id ?? caller.actor,
    held_since: now,
  };
}

function contentOf(
  { head, envelope }: Resumption,
  facts: RehydrationFacts,
  decision: Decision,
): TraceContent {
  const boundary_event_id = envelope?.trace_event.event_id ?? null;
  const record_revisions = facts.kind === 'compared' ? revisionsOf(facts.envelope, facts.current) : null;
  if (facts.kind === 'compared' && decision.findings.length === 0) {
    return rehydrationContent(facts.envelope, decision, {
      boundary_event_id,
      session_epoch: head.session_epoch + 1,
      record_revisions,
    });
  }
  return stopContent(decision, {
    phase: 'rehydration',
    boundary_event_id,
    claimed: facts.presented,
    record_revisions,
  });
}

function originOf({ request, caller, decision_id, now }: Resumption, { status, reason }: Decision) {
  return {
    occurred_at: now,
    tenant_id: request.tenant_id,
    session_id: request.session_id,
    principal_id: request.principal_id,
    ...authorOf(caller),
    trace_id: request.trace_id,
    envelope_id: request.envelope_id,
    decision_id,
    status,
    reason,
  };
}

/** The same key for the same request of the same caller; the parsed request holds the summary's digest, not its text. */
function claimOf(
  request: RehydrateRequest,
  caller: Caller,
  idempotency_key: string,
  decision_id: string,
): KeyClaim {
  return {
    tenant_id: request.tenant_id,
    idempotency_key,
    request_sha256: canonicalDigest({ actor: caller.actor, request }),
    decision_id,
  };
}
