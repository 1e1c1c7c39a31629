import { Type, type Static } from '@sinclair/typebox';

import { SourceEventRange } from './envelope/source-event-range.js';
import { refusalReasons } from './reasons.js';
import { nullable } from './schemas.js';
import {
  approvalDecisions,
  approvalStatuses,
  authorizationModes,
  constraintStatuses,
  controlStateSources,
  obligationStatuses,
  principalStatuses,
  sessionStatuses,
  sideEffectStatuses,
} from './vocabulary.js';

/**
 * The facts that a decision is made from, and nothing else that it could be made from.
 *
 * They are stored with the decision so that anyone can make it again: identifiers, versions, statuses and digests.
 * Free text (summary, objective, constraint text) is here only as a digest.
 *
 * `null` says that the source holds no such value; a property that is absent says that the source doesn't keep such
 * values, so that there is nothing to compare.
 */

const oneOf = <const L extends readonly string[]>(literals: L) =>
  Type.Unsafe<L[number]>({ type: 'string', enum: [...literals] });
const text = Type.String();
const count = Type.Integer({ minimum: 0 });

/** One action, frozen at sealing. */
export const FrozenAction = Type.Object({
  idempotency_key: text,
  capability_name: text,
  capability_version: text,
  action_digest: text,
  /** Null where no approval was thought to be needed; then the expiry is null too. */
  approval_id: nullable(text),
  approval_expires_at: nullable(text),
  side_effect_status: oneOf(sideEffectStatuses),
});
export type FrozenAction = Static<typeof FrozenAction>;

/** What was sealed. */
export const EnvelopeFacts = Type.Object({
  schema_version: text,
  envelope_id: text,
  /** Digest recorded at sealing. */
  envelope_sha256: text,
  tenant_id: text,
  session_id: text,
  principal_id: text,
  source_trace_id: text,
  authorization_mode: oneOf(authorizationModes),
  delegated_principal_id: text,
  delegated_scope: text,
  policy_version: text,
  /** In the order in which the calls stand. */
  actions: Type.Array(FrozenAction),
  checkpoint_ref: text,
  sandbox_snapshot_ref: nullable(text),
  budget_remaining: nullable(Type.Number()),
  objective_sha256: nullable(text),
  /** The digest covers the text and what it forbids; null where governed storage held no such constraint. */
  constraints: Type.Array(Type.Object({ ref: text, frozen_sha256: nullable(text) })),
  pending_obligations: Type.Array(text),
  source_event_range: nullable(SourceEventRange),
  /** Running digest of the event log at the range's last event; null where the session had no log. */
  lineage_sha256: nullable(text),
  summary_sha256: text,
});
export type EnvelopeFacts = Static<typeof EnvelopeFacts>;

/** What the resuming run said of itself. */
export const PresentedFacts = Type.Object({
  envelope_id: text,
  tenant_id: text,
  principal_id: text,
  session_id: text,
  summary_sha256: text,
  source_event_range: nullable(SourceEventRange),
  session_epoch: nullable(count),
});
export type PresentedFacts = Static<typeof PresentedFacts>;

export const SessionFacts = Type.Object({
  session_status: oneOf(sessionStatuses),
  principal_id: text,
  authorization_mode: oneOf(authorizationModes),
  delegated_principal_id: text,
  delegated_scope: text,
  /** Null where the session is at no action. */
  idempotency_key: nullable(text),
  checkpoint_ref: text,
  sandbox_snapshot_ref: Type.Optional(nullable(text)),
  budget_remaining: Type.Optional(nullable(Type.Number())),
  objective_sha256: Type.Optional(nullable(text)),
});

/** The approval that a frozen action names. What it is bound to is absent where the source gives only its status. */
export const ApprovalFacts = Type.Object({
  approval_status: oneOf(approvalStatuses),
  session_id: Type.Optional(text),
  capability_name: Type.Optional(text),
  action_digest: Type.Optional(text),
  expires_at: Type.Optional(text),
  /** Who asked, who decided, and who may; absent is what the source doesn't say. */
  requested_by: Type.Optional(text),
  decided_by: Type.Optional(text),
  self_approval: Type.Optional(Type.Boolean()),
  eligible_approvers: Type.Optional(Type.Array(text)),
  required_approvals: Type.Optional(count),
  decisions: Type.Optional(Type.Array(Type.Object({ decided_by: text, decision: oneOf(approvalDecisions) }))),
});

/** The ledger's entry for a frozen action's idempotency key. */
export const SideEffectFacts = Type.Object({
  session_id: Type.Optional(text),
  capability_name: text,
  /** Null where it rests on none. */
  approval_id: nullable(text),
  action_digest: text,
  side_effect_status: oneOf(sideEffectStatuses),
  /** Whether it stands as a reconciliation left it: of a later revision the reconciliation says nothing. */
  reconciled: Type.Boolean(),
});

/** What the source says of one frozen action now. */
export const ActionStateFacts = Type.Object({
  capability_version: nullable(text),
  /** Beside an attested state: what the tenant's own record of the capability says. It holds for attested sessions too. */
  recorded_capability_version: Type.Optional(nullable(text)),
  /** Revision of that record; null where there is none. */
  capability_revision: Type.Optional(nullable(count)),
  approval: nullable(ApprovalFacts),
  side_effect: nullable(SideEffectFacts),
});
export type ActionStateFacts = Static<typeof ActionStateFacts>;

/** Where the sealed range stands in the session's event log, as the log is now. */
export const LineageFacts = Type.Object({
  first_sequence: nullable(count),
  last_sequence: nullable(count),
  /** Running digest at the range's last event. */
  lineage_sha256: nullable(text),
});

export const ConstraintFacts = Type.Object({
  ref: text,
  /** Covers the text and what it forbids; absent where the source keeps only the reference. */
  sha256: Type.Optional(text),
  forbids_capability: nullable(text),
  constraint_status: oneOf(constraintStatuses),
});

/** The control state as it is now, from one source. */
export const ControlStateFacts = Type.Object({
  source: oneOf(controlStateSources),
  tenant_id: text,
  session: nullable(SessionFacts),
  principal_status: nullable(oneOf(principalStatuses)),
  /** The principal that the envelope says has delegated; null where the tenant has no record of it. */
  delegated_principal_status: Type.Optional(nullable(oneOf(principalStatuses))),
  policy_version: nullable(text),
  /** Beside an attested state: what the tenant's own record says. It holds for attested sessions too. */
  recorded_policy_version: Type.Optional(nullable(text)),
  /** Revisions of the tenant-wide records that were read; null where there is none. */
  revisions: Type.Optional(Type.Object({ policy: nullable(count), principal: nullable(count) })),
  /** In the order of the envelope's actions. */
  actions: Type.Array(ActionStateFacts),
  /** Every other effect of the session whose outcome nobody knows. */
  other_unknown_side_effects: Type.Array(Type.Object({ idempotency_key: text, capability_name: text })),
  /** Absent where the gate holds no record of the session: there is no log to check. */
  lineage: Type.Optional(LineageFacts),
  /** Absent where the source doesn't keep constraints. The session's active ones, and every one that was sealed. */
  constraints: Type.Optional(Type.Array(ConstraintFacts)),
  /** Absent where the source doesn't keep obligations. */
  obligations: Type.Optional(
    Type.Array(Type.Object({ obligation_id: text, obligation_status: oneOf(obligationStatuses) })),
  ),
});
export type ControlStateFacts = Static<typeof ControlStateFacts>;

/** There is nothing to compare: the envelope is not there, or the presented state may not be believed. */
export const RefusedFacts = Type.Object({
  kind: Type.Literal('refused'),
  decided_at: text,
  refusal: oneOf(refusalReasons),
  presented: PresentedFacts,
});

export const ComparedFacts = Type.Object({
  kind: Type.Literal('compared'),
  /** "Now", by the database's clock: RFC 3339 in UTC with six fraction digits. */
  decided_at: text,
  presented: PresentedFacts,
  envelope: EnvelopeFacts,
  /** Digest of the envelope as it is stored now. */
  stored_envelope_sha256: text,
  /** The session's newest envelope. */
  newest_envelope_id: text,
  session_epoch: count,
  current: ControlStateFacts,
});
export type ComparedFacts = Static<typeof ComparedFacts>;

/** What an approval was sealed under. */
export const ApprovalBinding = Type.Object({
  policy_version: text,
  capability_version: text,
  action_digest: text,
  /** Absent where an earlier release sealed it, which took none for bound to a key or an end. */
  idempotency_key: Type.Optional(text),
  /** The earliest end that it was sealed with, at first or in the previous envelope. */
  approval_expires_at: Type.Optional(text),
});
export type ApprovalBinding = Static<typeof ApprovalBinding>;

/** What `POST /envelopes` decides from. */
export const SealingFacts = Type.Object({
  kind: Type.Literal('sealing'),
  decided_at: text,
  envelope: EnvelopeFacts,
  /** Digest of the summary that was sent along; null where none was. */
  presented_summary_sha256: nullable(text),
  /** What the session's previous envelope carries on; null for the first, and for one that doesn't bind the session. */
  previous: nullable(
    Type.Object({
      constraint_refs: Type.Array(text),
      pending_obligations: Type.Array(text),
      last_sequence: nullable(count),
      /** Keys whose outcome was sealed as unknown, and of which the ledger knows nothing that would keep them in mind. */
      unknown_effects: Type.Optional(Type.Array(text)),
    }),
  ),
  /** What the caller released explicitly; only ever accepted for attested sessions. */
  released: Type.Array(text),
  /** What the session first sealed each action's approval under, in their order; null where it never did. */
  first_bindings: Type.Array(nullable(ApprovalBinding)),
  /** What the gate's records say; null where they are silent. */
  current: nullable(ControlStateFacts),
});
export type SealingFacts = Static<typeof SealingFacts>;

/** What `POST /rehydrate` decides from. */
export type RehydrationFacts = Static<typeof RefusedFacts> | ComparedFacts;

/** What any decision is made from. */
export const DecisionFacts = Type.Union([RefusedFacts, SealingFacts, ComparedFacts]);
export type DecisionFacts = Static<typeof DecisionFacts>;
