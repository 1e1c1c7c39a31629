import { Type } from '@sinclair/typebox';

import { SourceEventRange } from '../../domain/envelope/source-event-range.js';
import { DecisionFacts } from '../../domain/facts.js';
import { decisionReasons, findingReasons, refusalReasons } from '../../domain/reasons.js';
import { nullable } from '../../domain/schemas.js';
import {
  controlStateSources,
  decisionStatuses,
  sideEffectStatuses,
  stopStatuses,
  traceEventTypes,
} from '../../domain/vocabulary.js';

const oneOf = <const L extends readonly string[]>(literals: L, description: string) =>
  Type.Unsafe<L[number]>({ type: 'string', enum: [...literals], description });

/** The members that every decision has, wherever it is given. */
export const decisionMembers = {
  status: oneOf(decisionStatuses, 'The decision. None of the three is an authorization.'),
  reason: oneOf(decisionReasons, 'The first finding, or `continuity_validated`.'),
  authorized: Type.Literal(false, { description: 'Always false: the gate authorizes nothing.' }),
  requires_reauthorization: Type.Literal(true, {
    description: 'Always true: the next capability call has to be authorized.',
  }),
  findings: Type.Array(
    Type.Object({
      reason: oneOf([...findingReasons, ...refusalReasons], 'A rule that failed.'),
      idempotency_key: Type.Optional(
        Type.String({
          description: 'Of `continuity-envelope/v2`: the action that it is about, where it is about one.',
        }),
      ),
    }),
    {
      description:
        "Every rule that failed, in the order of the rules; of one rule in the order of the envelope's actions.",
    },
  ),
};

/** Reference to the trace event that was committed with an answer. */
export const TraceEventReference = Type.Object(
  {
    event_id: Type.String({ format: 'uuid', description: 'Id of the event.' }),
    event_type: oneOf(traceEventTypes, 'Type of the event.'),
  },
  { description: 'The trace event that was committed in the same transaction.' },
);

/** What was sealed; left out where the caller may be somebody else. */
const sealedMembers = {
  source_trace_id: Type.String({ description: 'Trace of the run that sealed the envelope.' }),
  checkpoint_ref: Type.String({ description: 'The sealed checkpoint.' }),
  versions: Type.Object(
    {
      schema_version: Type.String(),
      policy_version: Type.String(),
      capability_name: Type.Optional(Type.String()),
      capability_version: Type.Optional(Type.String()),
    },
    {
      description:
        'The versions that the run is held to; those of capabilities are in `pending_actions` where the envelope has some.',
    },
  ),
  idempotency_key: Type.Optional(
    Type.String({ description: 'Of `continuity-envelope/v1`: key of the frozen action.' }),
  ),
  side_effect_status: Type.Optional(
    nullable(
      oneOf(
        sideEffectStatuses,
        'Of `continuity-envelope/v1`: what the ledger says of the effect; null where it says nothing.',
      ),
    ),
  ),
  pending_actions: Type.Optional(
    Type.Array(
      Type.Object({
        idempotency_key: Type.String({ description: 'Key of the action.' }),
        capability_name: Type.String(),
        capability_version: Type.String(),
        action_digest: Type.String(),
        approval_id: nullable(Type.String()),
        approval_expires_at: nullable(Type.String()),
        side_effect_status: nullable(
          oneOf(sideEffectStatuses, 'What the ledger says of the effect; null where it says nothing.'),
        ),
      }),
      { description: 'Of `continuity-envelope/v2`: the frozen actions, in their order.' },
    ),
  ),
  pending_obligations: Type.Array(Type.String(), { description: 'What the session still owes.' }),
};

const commonMembers = {
  ...decisionMembers,
  decision_id: Type.String({
    format: 'uuid',
    description: 'Id of the decision, for `GET /decisions/{decision_id}`.',
  }),
  envelope_id: Type.String({ description: 'The envelope that was asked about.' }),
  session_id: Type.String({ description: 'The session that was asked about.' }),
  tenant_id: Type.String({ description: 'The tenant that was asked about.' }),
  trace_id: Type.String({ description: "The asking run's trace." }),
  decided_at: Type.String({ format: 'date-time', description: "When, by the database's clock." }),
  control_state_source: oneOf(
    controlStateSources,
    "Where the current control state came from: the gate's records, or the caller.",
  ),
  trace_event: TraceEventReference,
};

/** A stop. */
export const StopDecision = Type.Object(
  {
    ...commonMembers,
    status: oneOf(stopStatuses, 'The decision: either way the run may not go on.'),
    reason: oneOf([...findingReasons, ...refusalReasons], 'The first finding.'),
    ...Type.Partial(Type.Object(sealedMembers)).properties,
    missing: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'With `control_state_missing`: the absent records, by path under `/tenants/{tenant_id}/`.',
      }),
    ),
    reconciliation: Type.Optional(
      Type.Array(
        Type.Object({
          idempotency_key: Type.String({ description: 'Key under which the effect has to be settled.' }),
          capability_name: Type.String({ description: 'Capability whose effect it is.' }),
          href: nullable(
            Type.String({ description: "Where to settle it; null where the ledger is the caller's own." }),
          ),
        }),
        { description: 'With `unknown_side_effect`: every effect that has to be settled first.' },
      ),
    ),
  },
  { $id: 'StopDecision', title: 'StopDecision', additionalProperties: false },
);

/** What the model's context may be rebuilt from. */
export const ContextView = Type.Object(
  {
    objective: Type.String({ description: 'The sealed objective.' }),
    constraints: Type.Array(
      Type.Object({
        ref: Type.String({ description: 'Reference of the constraint.' }),
        text: nullable(Type.String({ description: 'Its exact text; null where governed storage has none.' })),
        forbids_capability: nullable(Type.String({ description: 'The capability that it forbids, if any.' })),
      }),
      { description: 'Every constraint that binds the run: the sealed ones and those added since.' },
    ),
    pending_obligations: Type.Array(Type.String(), { description: 'What the session still owes.' }),
    discharged_obligations: Type.Array(Type.String(), {
      description: 'What was sealed as owed and has been done since.',
    }),
    checkpoint_ref: Type.String({ description: 'The checkpoint to resume from.' }),
    sandbox_snapshot_ref: nullable(Type.String({ description: 'The snapshot to resume in, if any.' })),
    budget_remaining: nullable(Type.Number({ description: 'What may still be spent, if it is limited.' })),
    source_event_range: SourceEventRange,
    uncovered_events: Type.Array(
      Type.Object({ event_id: Type.String(), event_type: Type.String(), sequence: Type.Integer() }),
      { description: 'The first 100 events that happened after the range that the summary covers.' },
    ),
    uncovered_total: Type.Integer({ minimum: 0, description: 'How many such events there are.' }),
    summary: Type.Object(
      { trust: Type.Literal('untrusted'), sha256: Type.String() },
      { description: 'The summary is data to read, never an instruction or a permission.' },
    ),
  },
  { $id: 'ContextView', title: 'ContextView', additionalProperties: false },
);

/** An OpenID AuthZEN access evaluation request for the next capability call. */
export const AuthorizationRequest = Type.Object(
  {
    subject: Type.Object({ type: Type.Literal('principal'), id: Type.String() }),
    action: Type.Object({ name: Type.String() }),
    resource: Type.Object({ type: Type.Literal('idempotency_key'), id: Type.String() }),
    context: Type.Object({
      tenant_id: Type.String(),
      session_id: Type.String(),
      session_epoch: Type.Integer(),
      action_digest: Type.String(),
      approval_id: nullable(Type.String({ description: 'Null where the capability needs none.' })),
      authorization_mode: Type.String(),
      delegated_principal_id: Type.String(),
      delegated_scope: Type.String(),
      policy_version: Type.String(),
      capability_version: Type.String(),
    }),
  },
  {
    $id: 'AuthorizationRequest',
    title: 'AuthorizationRequest',
    description: 'What to ask the policy decision point before the next call, in the form of OpenID AuthZEN.',
    additionalProperties: false,
  },
);

/** A go: continuity holds, and nothing is authorized by it. */
export const GoDecision = Type.Object(
  {
    ...commonMembers,
    ...sealedMembers,
    status: Type.Literal('reauthorization_required', {
      description: 'The decision, which authorizes nothing.',
    }),
    reason: Type.Literal('continuity_validated', { description: 'No rule found anything.' }),
    session_epoch: Type.Integer({
      minimum: 1,
      description: "The session's new epoch: the run that resumed earlier is fenced off.",
    }),
    held_by: Type.String({ description: 'Who holds the session now.' }),
    receipt: Type.String({
      description:
        'A compact JWS (EdDSA) which says that continuity was checked, for tool gateways to verify against `/.well-known/jwks.json`. It allows nothing.',
    }),
    context_view: Type.Ref('ContextView#'),
    authorization_request: Type.Optional(
      // Of `continuity-envelope/v1`.
      Type.Ref('AuthorizationRequest#'),
    ),
    authorization_requests: Type.Optional(
      Type.Array(Type.Ref('AuthorizationRequest#'), {
        description:
          'Of `continuity-envelope/v2`: one for each action whose effect has not started, in their order.',
      }),
    ),
  },
  { $id: 'GoDecision', title: 'GoDecision', additionalProperties: false },
);

/** A past decision with its facts and its replay. */
export const RecordedDecision = Type.Object(
  {
    ...commonMembers,
    session_epoch: Type.Optional(Type.Integer({ description: 'The epoch that a go opened.' })),
    held_by: Type.Optional(Type.String({ description: 'Who held the session after a go.' })),
    rules_version: nullable(
      Type.String({ description: 'Version of the rules that it was made by; null where none was recorded.' }),
    ),
    facts: DecisionFacts,
    replayed: Type.Object(
      {
        status: decisionMembers.status,
        reason: decisionMembers.reason,
        same: Type.Boolean({ description: "Whether today's rules decide the same." }),
        rules_version: Type.String({ description: "Version of today's rules." }),
      },
      { description: "The same facts, decided by today's rules." },
    ),
  },
  { $id: 'RecordedDecision', title: 'RecordedDecision', additionalProperties: false },
);

/** A decision that nobody keeps. */
export const Inspection = Type.Object(
  {
    ...decisionMembers,
    event_types: Type.Array(oneOf(traceEventTypes, 'Type of an event.'), {
      description: 'Types of the events that a real run would leave.',
    }),
    events: Type.Array(
      Type.Object({
        event_type: oneOf(traceEventTypes, 'Type of the event.'),
        session_id: Type.String({ description: 'Session of the envelope.' }),
        trace_id: Type.String({ description: 'Trace of the envelope: no other run is known here.' }),
        payload: Type.Record(Type.String(), Type.Unknown(), {
          description: 'What the event says beyond its columns.',
        }),
      }),
      { description: 'The events that a real run would leave: of the boundary, then of the outcome.' },
    ),
  },
  { $id: 'Inspection', title: 'Inspection', additionalProperties: false },
);

/** A page of the trace. */
export const TraceEventPage = Type.Object(
  {
    events: Type.Array(Type.Ref('TraceEvent#')),
    next_cursor: nullable(Type.String({ description: 'Where to go on; null at the end.' })),
  },
  { $id: 'TraceEventPage', title: 'TraceEventPage', additionalProperties: false },
);

/** The public keys of receipts. */
export const ReceiptKeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.Literal('OKP'),
        crv: Type.Literal('Ed25519'),
        kid: Type.String(),
        x: Type.String(),
        alg: Type.Literal('EdDSA'),
        use: Type.Literal('sig'),
      }),
    ),
  },
  { $id: 'ReceiptKeySet', title: 'ReceiptKeySet', additionalProperties: false },
);
