import type { ActionFacts } from './actions.js';
import { approversDontSuffice } from './approvers.js';
import { approvalIsBoundElsewhere, approvalWasSealedUnderOthers } from './approval-binding.js';
import { constraintsToCarry, obligationsOf, obligationsToCarry } from './carry-over.js';
import { budgetHasGrown, budgetIsExhausted, differs, missesAny } from './compare.js';
import { aConstraintForbids, aConstraintHasChanged } from './constraint-rules.js';
import { presentedRangeDiffers, sealedRangeIsBroken, sealedRangeLeavesAGap } from './event-lineage.js';
import { isKnownVersion } from './envelope/versions.js';
import { isNotAfter } from './expiry.js';
import type { ComparedFacts, SealingFacts } from './facts.js';
import { actionRecordsAreMissing, sessionRecordsAreMissing } from './missing-records.js';
import { effectIsUnknown, effectStatusDiffers, hidesUnknownEffect } from './side-effect-status.js';
import type { DecisionStatus } from './vocabulary.js';

/** Everything that there is to say about one reason. */
interface Row<Reason extends string> extends Partial<Predicates<[SealingFacts], [ComparedFacts]>> {
  readonly reason: Reason;
  /** What has been found. */
  readonly meaning: string;
  /** What whoever asked has to do about it. */
  readonly remedy: string;
  /** What it decides as the first finding; `continuity_validation_failed` where it is absent. */
  readonly status?: Exclude<DecisionStatus, 'reauthorization_required'>;
  /** Whether it is about who is asking: then nothing of what was sealed is told. */
  readonly identity?: true;
  /** The member that the answer has because of it, and that any finding which withholds it takes away. */
  readonly discloses?: 'missing' | 'reconciliation';
  readonly withholds?: 'reconciliation';
  /** When it fails for one of the frozen actions, asked of each. */
  readonly perAction?: Partial<Predicates<[ActionFacts, SealingFacts], [ActionFacts, ComparedFacts]>>;
}

/** When a rule fails, by the phase that asks it. */
interface Predicates<Sealing extends unknown[], Rehydration extends unknown[]> {
  readonly sealing: (...asked: Sealing) => boolean;
  readonly rehydration: (...asked: Rehydration) => boolean;
}

/** Stored with each decision. A change of the reasons, their order or what one of them finds is a new version. */
export const rulesVersion = 'continuity-rules/2026-12-07';

/**
 * The decision table, in the order in which its rules speak.
 *
 * First who is asking, then whether something may already have happened in the world, then whether the contract still
 * holds: telling someone to renew an approval while a write is in doubt is how a payment is made twice.
 *
 * At sealing a record that isn't there is no contradiction; at rehydration it is a stop of its own.
 */
const table = [
  {
    reason: 'schema_version_unsupported',
    meaning: 'The stored envelope has a schema that this gate does not validate.',
    remedy: 'Ask a gate that knows this schema, or seal a new envelope from the full history.',
    withholds: 'reconciliation',
    rehydration: ({ envelope }) => !isKnownVersion(envelope.schema_version),
  },
  {
    reason: 'envelope_integrity_mismatch',
    meaning: 'The stored envelope no longer hashes to the digest recorded at sealing.',
    remedy: 'Treat the store as tampered with: alert its operator, and do not resume from this envelope.',
    withholds: 'reconciliation',
    rehydration: ({ envelope, stored_envelope_sha256 }) =>
      stored_envelope_sha256 !== envelope.envelope_sha256,
  },
  {
    reason: 'envelope_superseded',
    meaning: 'The session has a newer envelope.',
    remedy: 'Resume from the newest envelope of the session, with the summary that belongs to it.',
    withholds: 'reconciliation',
    rehydration: ({ envelope, newest_envelope_id }) => newest_envelope_id !== envelope.envelope_id,
  },
  {
    reason: 'summary_digest_mismatch',
    meaning: 'The summary is not the one that was bound to the envelope.',
    remedy: 'Send the summary exactly as it was when the envelope was sealed; if it is lost, start anew.',
    withholds: 'reconciliation',
    rehydration: ({ envelope, presented }) => presented.summary_sha256 !== envelope.summary_sha256,
    sealing: ({ envelope, presented_summary_sha256 }) =>
      presented_summary_sha256 !== null && presented_summary_sha256 !== envelope.summary_sha256,
  },
  {
    reason: 'event_lineage_mismatch',
    meaning: "The event range is not the sealed one, or not in the session's log as it was sealed.",
    remedy: 'Flush the event log, and name the range that follows on the last one that was sealed.',
    withholds: 'reconciliation',
    rehydration: (facts) => presentedRangeDiffers(facts) || sealedRangeIsBroken(facts),
    sealing: sealedRangeLeavesAGap,
  },
  {
    reason: 'tenant_mismatch',
    meaning: 'The session belongs to another tenant now.',
    remedy: 'Do not resume. Find out why the state of another tenant was read for this session.',
    identity: true,
    rehydration: ({ envelope, presented, current }) =>
      presented.tenant_id !== envelope.tenant_id || current.tenant_id !== envelope.tenant_id,
  },
  {
    reason: 'principal_mismatch',
    meaning: 'The run acts for another principal than the sealed one.',
    remedy: 'Resume as the principal that the session acts for, or start a new session for the other one.',
    identity: true,
    rehydration: ({ envelope, presented, current: { session } }) =>
      presented.principal_id !== envelope.principal_id ||
      differs(session?.principal_id, envelope.principal_id),
    sealing: ({ envelope, current }) => differs(current?.session?.principal_id, envelope.principal_id),
  },
  {
    reason: 'session_mismatch',
    meaning: 'The envelope was sealed for another session.',
    remedy: 'Resume from an envelope of this session.',
    identity: true,
    rehydration: ({ envelope, presented }) => presented.session_id !== envelope.session_id,
  },
  {
    reason: 'unknown_side_effect',
    meaning: 'An effect of the session was started and its outcome is not known.',
    remedy:
      'Retry nothing. Find out whether it happened, settle every effect under `reconciliation`, and ask again.',
    status: 'blocked_on_reconciliation',
    discloses: 'reconciliation',
    rehydration: ({ current }) => current.other_unknown_side_effects.length > 0,
    sealing: hidesUnknownEffect,
    perAction: {
      rehydration: effectIsUnknown,
      sealing: (action) =>
        effectIsUnknown(action) && action.frozen.side_effect_status !== 'side_effect_unknown',
    },
  },
  {
    reason: 'stale_epoch',
    meaning: 'The session was resumed by someone else since.',
    remedy: 'Stop this run: another one holds the session. Read its epoch to see which.',
    rehydration: ({ presented, session_epoch }) => differs(presented.session_epoch, session_epoch),
  },
  {
    reason: 'control_state_missing',
    meaning: 'A record that the comparison needs is absent; `missing` names its path.',
    remedy: 'Let the system that owns each record under `missing` write it, and ask again.',
    discloses: 'missing',
    rehydration: ({ current }) => sessionRecordsAreMissing(current),
    perAction: { rehydration: actionRecordsAreMissing },
  },
  {
    reason: 'session_not_active',
    meaning: 'The session was cancelled or has ended.',
    remedy: 'Stop for good. Work that is still wanted needs a new session.',
    rehydration: ({ current: { session } }) => differs(session?.session_status, 'active'),
  },
  {
    reason: 'principal_not_active',
    meaning: 'The principal, or the one that has delegated to it, is suspended or removed.',
    remedy: 'Stop until whoever administers the principal has made it active again.',
    rehydration: ({ current }) =>
      differs(current.principal_status, 'active') || differs(current.delegated_principal_status, 'active'),
  },
  {
    reason: 'authorization_mode_changed',
    meaning: 'What the authority of the session rests on has changed.',
    remedy: 'Have the action authorized under the new mode, and seal a new envelope.',
    rehydration: ({ envelope, current: { session } }) =>
      differs(session?.authorization_mode, envelope.authorization_mode),
  },
  {
    reason: 'delegated_principal_changed',
    meaning: 'Another principal is delegated to now.',
    remedy: 'Have the action authorized under the new delegation, and seal a new envelope.',
    rehydration: ({ envelope, current: { session } }) =>
      differs(session?.delegated_principal_id, envelope.delegated_principal_id),
  },
  {
    reason: 'delegated_scope_changed',
    meaning: 'Something else is delegated now.',
    remedy: 'Have the action authorized within the new scope, and seal a new envelope.',
    rehydration: ({ envelope, current: { session } }) =>
      differs(session?.delegated_scope, envelope.delegated_scope),
  },
  {
    reason: 'policy_version_changed',
    meaning: 'Another policy version is in force.',
    remedy: 'Have the action decided anew under the policy in force: a new approval, then a new envelope.',
    rehydration: ({ envelope, current }) =>
      differs(current.policy_version, envelope.policy_version) ||
      differs(current.recorded_policy_version, envelope.policy_version),
  },
  {
    reason: 'capability_changed',
    meaning: "The ledger has another capability under the envelope's idempotency key.",
    remedy:
      'Do not make the call. Find out which call the key belongs to; a new call needs a key of its own.',
    perAction: {
      rehydration: ({ frozen, side_effect }) => differs(side_effect?.capability_name, frozen.capability_name),
    },
  },
  {
    reason: 'capability_version_changed',
    meaning: 'Another version of the capability is in force.',
    remedy: 'Have the action approved for the version in force, and seal a new envelope.',
    perAction: {
      rehydration: ({ frozen, capability_version, recorded_capability_version }) =>
        differs(capability_version, frozen.capability_version) ||
        differs(recorded_capability_version, frozen.capability_version),
    },
  },
  {
    reason: 'approval_binding_changed',
    meaning:
      'The approval is another one, or bound to another session, capability, version or key, or to an earlier end.',
    remedy: 'Obtain an approval for exactly this action in this session: none can be taken from elsewhere.',
    perAction: {
      rehydration: approvalIsBoundElsewhere,
      sealing: (action, facts) =>
        approvalIsBoundElsewhere(action, facts) || approvalWasSealedUnderOthers(action, facts),
    },
  },
  {
    reason: 'action_digest_changed',
    meaning: 'The approval or the ledger is about another action.',
    remedy:
      'Do not make the call with these arguments. What is to be done now needs its own approval and key.',
    perAction: {
      rehydration: ({ frozen, side_effect, approval }) =>
        differs(side_effect?.action_digest, frozen.action_digest) ||
        differs(approval?.action_digest, frozen.action_digest),
    },
  },
  {
    reason: 'idempotency_key_changed',
    meaning: 'The session is at another idempotency key.',
    remedy: 'Resume from the envelope that was sealed for the key that the session is at.',
    rehydration: ({ envelope, current: { session } }) => {
      const key = session?.idempotency_key ?? null;
      return key !== null && !envelope.actions.some(({ idempotency_key }) => idempotency_key === key);
    },
  },
  {
    reason: 'side_effect_status_changed',
    meaning: 'The ledger and the envelope disagree about the effect.',
    remedy: 'Believe the ledger, not the run: read the effect, and seal an envelope that says the same.',
    perAction: { rehydration: effectStatusDiffers, sealing: effectStatusDiffers },
  },
  {
    reason: 'checkpoint_changed',
    meaning: 'The session stands at another checkpoint.',
    remedy: 'Resume from the envelope that was sealed at the checkpoint where the session stands.',
    rehydration: ({ envelope, current: { session } }) =>
      differs(session?.checkpoint_ref, envelope.checkpoint_ref),
  },
  {
    reason: 'sandbox_snapshot_changed',
    meaning: 'The sandbox stands at another snapshot.',
    remedy: 'Restore the sealed snapshot and have it recorded, or seal a new envelope at the present one.',
    rehydration: ({ envelope, current: { session } }) =>
      session?.sandbox_snapshot_ref !== undefined &&
      session.sandbox_snapshot_ref !== envelope.sandbox_snapshot_ref,
  },
  {
    reason: 'objective_changed',
    meaning: 'The session has another objective.',
    remedy: 'Take up the recorded objective, and seal a new envelope with it.',
    rehydration: ({ envelope, current: { session } }) =>
      differs(session?.objective_sha256, envelope.objective_sha256),
  },
  {
    reason: 'constraint_missing',
    meaning: 'A constraint is not in governed storage, or was left out of the envelope.',
    remedy:
      'Write the constraint to governed storage, or name it in the envelope. To end one, withdraw its record.',
    rehydration: ({ envelope, current: { constraints } }) =>
      constraints !== undefined && missesAny(refsOf(constraints), refsOf(envelope.constraints)),
    sealing: (facts) => missesAny(refsOf(facts.envelope.constraints), constraintsToCarry(facts)),
  },
  {
    reason: 'constraint_changed',
    meaning: 'The text of a constraint, or what it forbids, is not what was frozen at sealing.',
    remedy: 'Read the constraint as it stands, decide again under it, and seal a new envelope.',
    rehydration: aConstraintHasChanged,
  },
  {
    reason: 'constraint_violated',
    meaning: 'An active constraint forbids the frozen capability.',
    remedy: 'Do not make the call. Only whoever set the constraint can withdraw it.',
    perAction: { rehydration: aConstraintForbids },
  },
  {
    reason: 'obligation_dropped',
    meaning: 'An obligation that is still open was left out of the envelope.',
    remedy: 'Name every open obligation in `pending_obligations`, or discharge it with evidence first.',
    sealing: (facts) => missesAny(facts.envelope.pending_obligations, obligationsToCarry(facts)),
  },
  {
    reason: 'obligation_unrecognized',
    meaning: 'An obligation was sealed that was discharged already.',
    remedy: 'Leave out of `pending_obligations` what the records say is done.',
    sealing: ({ envelope, current }) => {
      const discharged = new Set(obligationsOf(current, 'discharged'));
      return envelope.pending_obligations.some((obligation) => discharged.has(obligation));
    },
  },
  {
    reason: 'budget_exhausted',
    meaning: 'Nothing is left of the budget, or less than the envelope claims, or an attested one has grown.',
    remedy: 'Stop until whoever grants the budget has raised it, and seal an envelope with what is left.',
    rehydration: ({ envelope, current: { session, source } }) =>
      session?.budget_remaining !== undefined &&
      (budgetIsExhausted(session.budget_remaining, envelope.budget_remaining) ||
        (source === 'attested' && budgetHasGrown(session.budget_remaining, envelope.budget_remaining))),
  },
  {
    reason: 'approval_not_eligible',
    meaning: 'The approval was decided by whoever asked for it, by someone who may not, or by too few.',
    remedy: 'Have it decided by enough others who may: nobody approves twice, or their own request.',
    perAction: { rehydration: approversDontSuffice },
  },
  {
    reason: 'approval_revoked',
    meaning: 'The approval was revoked.',
    remedy: 'Do not make the call. It needs a new approval under a new id.',
    perAction: { rehydration: ({ approval }) => approval?.approval_status === 'revoked' },
  },
  {
    reason: 'approval_not_active',
    meaning: 'The approval is pending, rejected or expired by its status.',
    remedy: 'Wait for a pending approval. A rejected or expired one needs a new approval under a new id.',
    perAction: {
      rehydration: ({ approval }) =>
        approval !== null && ['pending', 'rejected', 'expired'].includes(approval.approval_status),
    },
  },
  {
    reason: 'approval_expired',
    meaning: 'The approval ran out by the clock of the database.',
    remedy: 'Obtain a new approval under a new id: none can be extended.',
    perAction: {
      rehydration: ({ frozen, approval }, { decided_at }) =>
        (frozen.approval_expires_at !== null && isNotAfter(frozen.approval_expires_at, decided_at)) ||
        (approval?.expires_at !== undefined && isNotAfter(approval.expires_at, decided_at)),
    },
  },
] as const satisfies readonly Row<string>[];

/** What a rule can find. */
export type FindingReason = (typeof table)[number]['reason'];

export type Rule = Row<FindingReason>;

export const rules: readonly Rule[] = table;

/** The two moments at which rules are asked. */
export type DecidingPhase = keyof Predicates<[], []>;

export function isAskedAt(phase: DecidingPhase, rule: Rule): boolean {
  return rule[phase] !== undefined || rule.perAction?.[phase] !== undefined;
}

function refsOf(constraints: readonly { readonly ref: string }[]): string[] {
  return constraints.map(({ ref }) => ref);
}
