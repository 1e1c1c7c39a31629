import type { StoredDecision } from '../../app/stored.js';
import type { AttestedControlState } from '../../domain/control-state.js';
import { decide, stopStatusOf } from '../../domain/decide.js';
import { summaryDigest } from '../../domain/digest.js';
import { envelopeDigest } from '../../domain/envelope/sealed.js';
import { factsOfV1, type ContinuityEnvelope } from '../../domain/envelope/v1.js';
import type { ContinuityEnvelopeV2 } from '../../domain/envelope/v2.js';
import type { ComparedFacts } from '../../domain/facts.js';
import { inspectContinuity } from '../../domain/inspect.js';
import { replay } from '../../domain/replay.js';
import { isAskedAt, rules, rulesVersion, type DecidingPhase, type Rule } from '../../domain/rules.js';
import { chainSessionEvent } from '../../domain/session-event.js';
import { attestedStateFacts } from '../../domain/to-facts.js';
import { boundaryContent } from '../../domain/trace.js';
import { chainEvent, chainStart } from '../../domain/trace-event.js';
import { schemaVersion, schemaVersion2, type DecisionStatus } from '../../domain/vocabulary.js';
import { goBody, recordedBody, stopBody } from '../decision-answers.js';
import { envelopeBody } from '../envelope-answer.js';

/**
 * The examples of the API document. Requests are written down; every answer is made from them by the code that makes
 * the real ones, so that no example can say what the service would not.
 */

const summary = 'Resolve the ticket without a duplicate; the last write timed out.';
const createdAt = '2026-07-21T17:00:00.000000Z';
const decidedAt = '2026-07-21T17:05:00.000000Z';

export const exampleEnvelope: ContinuityEnvelope = {
  schema_version: schemaVersion,
  envelope_id: 'ce-2026-07-21-001',
  session_id: 'session-support-001',
  source_trace_id: 'trace-support-042',
  reset_reason: 'context_compaction',
  objective: 'Resolve the support request without creating a duplicate ticket.',
  exact_constraint_refs: ['event:user-constraint-017'],
  pending_obligations: ['reconcile_ticket_write'],
  tenant_id: 'tenant-acme',
  principal_id: 'user-42',
  authorization_mode: 'user_delegated',
  delegated_principal_id: 'user-42',
  delegated_scope: 'tickets:create',
  policy_version: 'policy-v4',
  capability_name: 'create_ticket',
  capability_version: 'create-ticket-v3',
  approval_id: 'apr-017',
  action_digest: 'sha256:approved-action',
  approval_expires_at: '2099-07-21T18:00:00Z',
  idempotency_key: 'ticket-intent-017',
  side_effect_status: 'not_started',
  checkpoint_ref: 'checkpoint:support-042-step-6',
  sandbox_snapshot_ref: 'snapshot:support-042',
  budget_remaining: 7,
  source_event_range: { first: 'event-0001', last: 'event-0142' },
  summary_sha256: summaryDigest(summary),
  evidence_refs: ['trace:trace-support-042', 'approval:apr-017'],
  requires_reauthorization: true,
};

const {
  capability_name,
  capability_version,
  approval_id,
  action_digest,
  approval_expires_at,
  idempotency_key,
  side_effect_status,
  ...exampleBoundary
} = exampleEnvelope;

/** The same boundary in the second version. */
export const exampleEnvelopeV2: ContinuityEnvelopeV2 = {
  ...exampleBoundary,
  schema_version: schemaVersion2,
  pending_actions: [
    {
      idempotency_key,
      capability_name,
      capability_version,
      action_digest,
      approval_id,
      approval_expires_at,
      side_effect_status,
    },
  ],
};

const exampleState: AttestedControlState = {
  tenant_id: exampleEnvelope.tenant_id,
  principal_id: exampleEnvelope.principal_id,
  authorization_mode: exampleEnvelope.authorization_mode,
  delegated_principal_id: exampleEnvelope.delegated_principal_id,
  delegated_scope: exampleEnvelope.delegated_scope,
  policy_version: exampleEnvelope.policy_version,
  capability_name: exampleEnvelope.capability_name,
  capability_version: exampleEnvelope.capability_version,
  approval_id: exampleEnvelope.approval_id,
  action_digest: exampleEnvelope.action_digest,
  approval_status: 'approved',
  idempotency_key: exampleEnvelope.idempotency_key,
  side_effect_status: exampleEnvelope.side_effect_status,
  checkpoint_ref: exampleEnvelope.checkpoint_ref,
};

export const sealRequestExample = { continuity_envelope: exampleEnvelope, summary };

export const rehydrateRequestExample = {
  envelope_id: exampleEnvelope.envelope_id,
  tenant_id: exampleEnvelope.tenant_id,
  principal_id: exampleEnvelope.principal_id,
  session_id: exampleEnvelope.session_id,
  trace_id: 'trace-support-043',
  summary,
  source_event_range: exampleEnvelope.source_event_range,
  runtime_id: 'runtime-eu-7',
  current_state: exampleState,
};

export const inspectRequestExample = {
  continuity_envelope: exampleEnvelope,
  current_state: exampleState,
  summary,
  now: decidedAt,
};

export const inspectionExample = inspectContinuity(
  {
    continuity_envelope: exampleEnvelope,
    current_state: exampleState,
    summary_sha256: exampleEnvelope.summary_sha256,
  },
  BigInt(Date.parse(decidedAt)) * 1_000n,
);

const sealedFacts = factsOfV1(exampleEnvelope, {
  envelope_sha256: envelopeDigest(exampleEnvelope),
  lineage_sha256: null,
  constraint_digests: {},
});

export const traceEventExample = chainEvent(
  {
    event_id: '019853a4-7f00-7c1e-9a41-0d5f3f1b2c01',
    ...boundaryContent(sealedFacts, {
      reset_reason: exampleEnvelope.reset_reason,
      session_epoch: 0,
      released: [],
    }),
    occurred_at: createdAt,
    tenant_id: exampleEnvelope.tenant_id,
    session_id: exampleEnvelope.session_id,
    principal_id: exampleEnvelope.principal_id,
    actor: 'open',
    trace_id: exampleEnvelope.source_trace_id,
    span_id: null,
    envelope_id: exampleEnvelope.envelope_id,
    decision_id: null,
    status: null,
    reason: null,
  },
  { sequence: 0, sha256: chainStart },
);

export const sealedExample = envelopeBody({
  tenant_id: exampleEnvelope.tenant_id,
  envelope_id: exampleEnvelope.envelope_id,
  envelope: exampleEnvelope,
  envelope_sha256: sealedFacts.envelope_sha256,
  lineage_sha256: null,
  constraint_digests: {},
  last_sequence: null,
  session_epoch: 0,
  created_at: createdAt,
  trace_event: { event_id: traceEventExample.event_id, event_type: traceEventExample.event_type },
});

const facts: ComparedFacts = {
  kind: 'compared',
  decided_at: decidedAt,
  presented: {
    envelope_id: rehydrateRequestExample.envelope_id,
    tenant_id: rehydrateRequestExample.tenant_id,
    principal_id: rehydrateRequestExample.principal_id,
    session_id: rehydrateRequestExample.session_id,
    summary_sha256: exampleEnvelope.summary_sha256,
    source_event_range: rehydrateRequestExample.source_event_range,
    session_epoch: null,
  },
  envelope: sealedFacts,
  stored_envelope_sha256: sealedFacts.envelope_sha256,
  newest_envelope_id: exampleEnvelope.envelope_id,
  session_epoch: 0,
  current: attestedStateFacts(exampleState, null),
};

const stored = {
  decision_id: '019853a8-91c4-7d02-8c35-5b1e6f0a7d11',
  tenant_id: exampleEnvelope.tenant_id,
  session_id: exampleEnvelope.session_id,
  envelope_id: exampleEnvelope.envelope_id,
  trace_id: rehydrateRequestExample.trace_id,
  rules_version: rulesVersion,
};

const go = {
  ...stored,
  decision: decide(facts),
  facts,
  granted: { session_epoch: 1, held_by: rehydrateRequestExample.runtime_id },
  trace_event: {
    event_id: '019853a8-91c5-7a63-b0a2-6c7d5e4f3a21',
    event_type: 'context_rehydration',
  },
} satisfies StoredDecision;

export const goExample = goBody(
  go,
  {
    envelope: exampleEnvelope,
    facts,
    constraints: [],
    uncovered_events: [],
    uncovered_total: 0,
  },
  'eyJhbGciOiJFZERTQSIsInR5cCI6ImNvbnRpbnVpdHktcmVjZWlwdCtqd3QifQ.e30.c2lnbmF0dXJl',
);
export const recordedExample = recordedBody(go, replay(go));

/** An example of each stop that the rules of a phase decide with a status, by its reason. */
export function stopExamples(phase: DecidingPhase, status: DecisionStatus) {
  const asked = rules.filter((rule) => isAskedAt(phase, rule) && stopStatusOf(rule) === status);
  return Object.fromEntries(
    asked.map((rule) => [rule.reason, { summary: rule.meaning, value: stopExample(rule) }]),
  );
}

/** A stop in which one rule failed; what was found is given, since most rules need records to fail. */
function stopExample(rule: Rule) {
  const { reason } = rule;
  return stopBody({
    ...stored,
    decision: {
      status: stopStatusOf(rule),
      reason,
      findings: [{ reason }],
      authorized: false,
      requires_reauthorization: true,
    },
    facts: factsBehind(rule),
    granted: null,
    trace_event: {
      event_id: '019853a8-91c5-7a63-b0a2-6c7d5e4f3a22',
      event_type: 'continuity_validation_failed',
    },
  });
}

function factsBehind({ discloses }: Rule): ComparedFacts {
  if (discloses === 'reconciliation') {
    const side_effect_status = 'side_effect_unknown';
    return { ...facts, current: attestedStateFacts({ ...exampleState, side_effect_status }, null) };
  }
  if (discloses === 'missing') {
    const actions = facts.current.actions.map((action) => ({ ...action, approval: null }));
    return { ...facts, current: { ...facts.current, source: 'records', actions } };
  }
  return facts;
}

const firstEventExample = {
  event_id: exampleEnvelope.source_event_range.first,
  event_type: 'user_message',
  content_sha256: 'sha256:event-content',
};

const lastEventExample = {
  event_id: exampleEnvelope.source_event_range.last,
  event_type: 'tool_timeout',
  content_sha256: 'sha256:other-content',
};

/** The ends of the range that the example envelope was sealed with. */
export const sessionEventExamples = [firstEventExample, lastEventExample];

const firstLogged = chainSessionEvent(firstEventExample, { sequence: 0, sha256: chainStart });
export const loggedEventExamples = [
  firstLogged,
  chainSessionEvent(lastEventExample, { sequence: firstLogged.sequence, sha256: firstLogged.lineage_sha256 }),
];

export const epochExample = {
  session_epoch: go.granted.session_epoch,
  held_by: go.granted.held_by,
  held_since: decidedAt,
};

export const assembledStateExample = exampleState;
