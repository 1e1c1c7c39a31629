import { uuidv7 } from 'uuidv7';

import { decide, type Decision } from '../domain/decide.js';
import { boundTo, carriedOn } from '../domain/previous-envelope.js';
import { envelopeDigest, type FrozenAtSealing } from '../domain/envelope/sealed.js';
import { envelopeFacts } from '../domain/envelope/versions.js';
import type { ContinuityEnvelope } from '../domain/envelope/v1.js';
import type { DecisionFacts, EnvelopeFacts } from '../domain/facts.js';
import type { SealRequest } from '../domain/requests.js';
import { rulesVersion } from '../domain/rules.js';
import { boundaryContent, revisionsOf, stopContent, type TraceContent } from '../domain/trace.js';
import type { TraceEvent } from '../domain/trace-event.js';
import { authorOf, type Caller } from './caller.js';
import { maySeal, maySealAgain } from './session-access.js';
import { linkEvent } from './session-chain.js';
import type { Decided, Known, Store } from './store.js';
import type { RecordedState, Holder, StoredDecision, StoredEnvelope } from './stored.js';

export type SealingResult =
  | { readonly kind: 'sealed' | 'already_sealed'; readonly stored: StoredEnvelope }
  /** The id stands for another envelope already. */
  | { readonly kind: 'conflict' }
  /** The session is another principal's, or the caller doesn't speak for the one that it seals for. */
  | { readonly kind: 'forbidden' }
  /** Someone else has resumed the session since. */
  | ({ readonly kind: 'stale_epoch' } & Holder)
  | { readonly kind: 'refused'; readonly refusal: StoredDecision };

/**
 * Seals an envelope before a boundary: decides whether anything that is known speaks against it, stores it, and leaves
 * its event, all or nothing. An envelope that was sealed before gets its first answer again, before any other check.
 */
export async function sealEnvelope(
  store: Store,
  request: SealRequest,
  caller: Caller,
): Promise<SealingResult> {
  const { continuity_envelope } = request;
  const { envelope_id } = continuity_envelope;
  const envelope_sha256 = envelopeDigest(continuity_envelope);
  const question = { session: continuity_envelope, envelope_id, given: continuity_envelope };
  return store.decide<SealingResult>(question, (known) => {
    const { recorded } = known;
    if (!recorded) throw new Error('The state around a given envelope is always told');
    const boundary: Boundary = { ...known, recorded, request, caller };
    if (known.envelope?.envelope_sha256 === envelope_sha256 && maySealAgain(caller, continuity_envelope)) {
      return { result: { kind: 'already_sealed', stored: known.envelope } };
    }
    if (!maySeal(caller, continuity_envelope, ownerOf(boundary))) return { result: { kind: 'forbidden' } };
    if (known.envelope) return { result: { kind: 'conflict' } };
    if (isFencedOff(boundary)) return refuseStaleEpoch(boundary);

    const frozen = frozenAtSealing(continuity_envelope, envelope_sha256, recorded);
    const sealed = { ...keysOf(continuity_envelope), envelope: continuity_envelope, ...frozen };
    const envelope = envelopeFacts(sealed);
    const facts = factsOf(boundary, envelope);
    const decision = decide(facts);
    return decision.findings.length === 0
      ? seal(boundary, envelope, frozen)
      : refuse(boundary, facts, decision);
  });
}

/** One request at its boundary, with what is known behind the lock of the session's head. */
interface Boundary extends Known {
  readonly request: SealRequest;
  readonly caller: Caller;
  readonly recorded: RecordedState;
}

/** Whose the session is: its record says, and without one its previous envelope. Null if it is nobody's yet. */
function ownerOf({ recorded, previous }: Boundary): string | null {
  return recorded.facts.session?.principal_id ?? (previous && envelopeFacts(previous).principal_id);
}

/**
 * Once a session has been resumed, only who holds its last go may seal for it. Its epoch is known to whoever asks for it,
 * and so proves that only for the subject that got the go, or where no go is known.
 */
function isFencedOff({
  head,
  opened_by,
  request: { session_epoch, decision_id },
  caller,
}: Boundary): boolean {
  if (decision_id === undefined || opened_by === null) {
    const isHolder = opened_by === null || opened_by.subject === caller.actor;
    return !isHolder || (session_epoch ?? 0) !== head.session_epoch;
  }
  return (
    decision_id !== opened_by.decision_id || (session_epoch ?? head.session_epoch) !== head.session_epoch
  );
}

function factsOf(
  { request, caller, now, previous, firstBindings, recorded }: Boundary,
  envelope: EnvelopeFacts,
): DecisionFacts {
  const { released = [], summary_sha256 = null } = request;
  if (released.length > 0 && (!caller.mayAttest || recorded.holdsRecords)) {
    return {
      kind: 'refused',
      decided_at: now,
      refusal: 'attested_state_refused',
      presented: {
        ...claimedBy(envelope),
        tenant_id: envelope.tenant_id,
        summary_sha256: summary_sha256 ?? envelope.summary_sha256,
        source_event_range: envelope.source_event_range,
        session_epoch: request.session_epoch ?? null,
      },
    };
  }
  return {
    kind: 'sealing',
    decided_at: now,
    envelope,
    presented_summary_sha256: summary_sha256,
    previous: previous && carriedOn(previous),
    released: released.map(({ ref }) => ref),
    first_bindings: envelope.actions.map(({ approval_id }) =>
      approval_id === null ? null : boundTo(approval_id, firstBindings.get(approval_id), previous),
    ),
    current: recorded.holdsRecords ? recorded.facts : null,
  };
}

/** What governed storage freezes beside the envelope: it is compared with what is held there at rehydration. */
function frozenAtSealing(
  envelope: ContinuityEnvelope,
  envelope_sha256: string,
  { facts }: RecordedState,
): Frozen {
  const refs = new Set(envelope.exact_constraint_refs);
  const held = (facts.constraints ?? []).filter(({ ref }) => refs.has(ref));
  return {
    envelope_sha256,
    lineage_sha256: facts.lineage?.lineage_sha256 ?? null,
    last_sequence: facts.lineage?.last_sequence ?? null,
    constraint_digests: Object.fromEntries(
      held.flatMap(({ ref, sha256 }) => (sha256 === undefined ? [] : [[ref, sha256]])),
    ),
  };
}

type Frozen = FrozenAtSealing & Pick<StoredEnvelope, 'last_sequence'>;

function seal(boundary: Boundary, envelope: EnvelopeFacts, frozen: Frozen): Decided<SealingResult> {
  const { request, head, now } = boundary;
  const { continuity_envelope, released = [] } = request;
  const { session_epoch } = head;
  const { reset_reason } = continuity_envelope;
  const event = eventOf(boundary, boundaryContent(envelope, { reset_reason, session_epoch, released }), null);
  const stored: StoredEnvelope = {
    ...keysOf(continuity_envelope),
    envelope: continuity_envelope,
    ...frozen,
    session_epoch,
    created_at: now,
    trace_event: { event_id: event.event_id, event_type: event.event_type },
  };
  return {
    result: { kind: 'sealed', stored },
    changes: {
      event,
      head: { ...head, newest_envelope_id: continuity_envelope.envelope_id },
      envelope: stored,
    },
  };
}

function refuse(boundary: Boundary, facts: DecisionFacts, decision: Decision): Decided<SealingResult> {
  const { head } = boundary;
  const { tenant_id, session_id, envelope_id, source_trace_id } = boundary.request.continuity_envelope;
  const decision_id = uuidv7();
  const record_revisions = facts.kind === 'sealing' ? revisionsOf(facts.envelope, facts.current) : null;
  const event = stopEvent(boundary, decision, { decision_id, record_revisions });
  const refusal: StoredDecision = {
    decision_id,
    tenant_id,
    session_id,
    envelope_id,
    trace_id: source_trace_id,
    decision,
    facts,
    rules_version: rulesVersion,
    granted: null,
    trace_event: { event_id: event.event_id, event_type: event.event_type },
  };
  return {
    result: { kind: 'refused', refusal },
    changes: { event, head, decision: refusal },
  };
}

function refuseStaleEpoch(boundary: Boundary): Decided<SealingResult> {
  const { head } = boundary;
  const { held_by, held_since } = head;
  const event = stopEvent(
    boundary,
    {
      status: 'continuity_validation_failed',
      reason: 'stale_epoch',
      findings: [{ reason: 'stale_epoch' }],
    },
    { decision_id: null },
  );
  return {
    result: { kind: 'stale_epoch', held_by, held_since },
    changes: { event, head },
  };
}

type Stop = Pick<Decision, 'status' | 'reason' | 'findings'>;

function stopEvent(
  boundary: Boundary,
  stop: Stop,
  {
    decision_id,
    record_revisions = null,
  }: { decision_id: string | null; record_revisions?: ReturnType<typeof revisionsOf> },
): TraceEvent {
  const content = stopContent(stop, {
    phase: 'compaction',
    boundary_event_id: null,
    claimed: claimedBy(boundary.request.continuity_envelope),
    record_revisions,
  });
  return eventOf(boundary, content, { ...stop, decision_id });
}

function eventOf(
  { request: { continuity_envelope }, caller, head, now }: Boundary,
  content: TraceContent,
  stop: (Stop & { decision_id: string | null }) | null,
): TraceEvent {
  return linkEvent(
    head,
    {
      occurred_at: now,
      tenant_id: continuity_envelope.tenant_id,
      session_id: continuity_envelope.session_id,
      principal_id: continuity_envelope.principal_id,
      ...authorOf(caller),
      trace_id: continuity_envelope.source_trace_id,
      envelope_id: continuity_envelope.envelope_id,
      decision_id: stop?.decision_id ?? null,
      status: stop?.status ?? null,
      reason: stop?.reason ?? null,
    },
    content,
  );
}

function keysOf({ tenant_id, envelope_id }: ContinuityEnvelope) {
  return { tenant_id, envelope_id };
}

function claimedBy({
  envelope_id,
  session_id,
  principal_id,
}: EnvelopeFacts | SealRequest['continuity_envelope']) {
  return { envelope_id, session_id, principal_id };
}
