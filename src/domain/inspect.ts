import { decide, type Decision } from './decide.js';
import { envelopeDigest } from './envelope/sealed.js';
import { factsOfV1 } from './envelope/v1.js';
import type { ComparedFacts } from './facts.js';
import type { InspectRequest } from './requests.js';
import { formatTimestamp, type Instant } from './time.js';
import { attestedStateFacts } from './to-facts.js';
import { boundaryContent, rehydrationContent, stopContent, type TraceContent } from './trace.js';
import type { TraceEventType } from './vocabulary.js';

/** A decision that nobody keeps, and the events that a real run would have left. */
export interface Inspection extends Decision {
  readonly event_types: readonly TraceEventType[];
  readonly events: readonly InspectedEvent[];
}

/** An event as far as it is known without a run: an inspection knows of no other trace than the envelope's. */
interface InspectedEvent extends TraceContent {
  readonly session_id: string;
  readonly trace_id: string;
}

/** The pure decision on the reference's own fields: nothing is read and nothing is stored. */
export function inspectContinuity(request: InspectRequest, clock: Instant): Inspection {
  const facts = inspectedFacts(request, request.now ?? clock);
  const decision = decide(facts);
  const events = eventsOf(request, facts, decision);
  return { ...decision, event_types: events.map(({ event_type }) => event_type), events };
}

/** What an inspection decides from. */
export function inspectedFacts(
  { continuity_envelope, current_state, summary_sha256 }: InspectRequest,
  now: Instant,
): ComparedFacts {
  const envelope_sha256 = envelopeDigest(continuity_envelope);
  const envelope = factsOfV1(continuity_envelope, {
    envelope_sha256,
    lineage_sha256: null,
    constraint_digests: {},
  });
  const { envelope_id, tenant_id, principal_id, session_id } = envelope;
  return {
    kind: 'compared',
    decided_at: formatTimestamp(now),
    presented: {
      envelope_id,
      tenant_id,
      principal_id,
      session_id,
      summary_sha256,
      source_event_range: null,
      session_epoch: null,
    },
    envelope,
    stored_envelope_sha256: envelope_sha256,
    newest_envelope_id: envelope_id,
    session_epoch: 0,
    current: attestedStateFacts(current_state, null),
  };
}

function eventsOf(
  { continuity_envelope }: InspectRequest,
  facts: ComparedFacts,
  decision: Decision,
): InspectedEvent[] {
  const { envelope } = facts;
  const { session_id, source_trace_id: trace_id } = envelope;
  const boundary = boundaryContent(envelope, {
    reset_reason: continuity_envelope.reset_reason ?? 'context_compaction',
    session_epoch: 0,
    released: [],
  });
  const outcome =
    decision.findings.length === 0
      ? rehydrationContent(envelope, decision, { boundary_event_id: null, session_epoch: 1 })
      : stopContent(decision, { phase: 'rehydration', boundary_event_id: null, claimed: facts.presented });
  return [boundary, outcome].map(({ event_type, payload }) => ({
    event_type,
    session_id,
    trace_id,
    payload,
  }));
}
