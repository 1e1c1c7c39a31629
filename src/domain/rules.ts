import { constraintsToCarry, obligationsOf, obligationsToCarry } from './carry-over.js';
import { presentedRangeDiffers, sealedRangeIsBroken, sealedRangeLeavesAGap } from './event-lineage.js';
import type { ComparedFacts, ControlStateFacts, SealingFacts } from './facts.js';
import { missingRecords } from './missing-records.js';
import { parseTimestamp, type Instant } from './time.js';
import { schemaVersion, type FindingReason } from './vocabulary.js';

/** When a rule fails. A phase that is absent doesn't ask the rule. */
export interface Rule {
  readonly rehydration?: (facts: ComparedFacts) => boolean;
  readonly sealing?: (facts: SealingFacts) => boolean;
}

/**
 * The decision table, in the order in which its rules speak.
 *
 * First who is asking, then whether something may already have happened in the world, then whether the contract still
 * holds: telling someone to renew an approval while a write is in doubt is how a payment is made twice.
 *
 * At sealing a record that isn't there is no contradiction; at rehydration it is a stop of its own.
 */
export const rules: Readonly<Record<FindingReason, Rule>> = {
  schema_version_unsupported: {
    rehydration: ({ envelope }) => envelope.schema_version !== schemaVersion,
  },
  envelope_integrity_mismatch: {
    rehydration: ({ envelope, stored_envelope_sha256 }) =>
      stored_envelope_sha256 !== envelope.envelope_sha256,
  },
  envelope_superseded: {
    rehydration: ({ envelope, newest_envelope_id }) => newest_envelope_id !== envelope.envelope_id,
  },
  summary_digest_mismatch: {
    rehydration: ({ envelope, presented }) => presented.summary_sha256 !== envelope.summary_sha256,
    sealing: ({ envelope, presented_summary_sha256 }) =>
      presented_summary_sha256 !== null && presented_summary_sha256 !== envelope.summary_sha256,
  },
  event_lineage_mismatch: {
    rehydration: (facts) => presentedRangeDiffers(facts) || sealedRangeIsBroken(facts),
    sealing: sealedRangeLeavesAGap,
  },
  tenant_mismatch: {
    rehydration: ({ envelope, presented, current }) =>
      presented.tenant_id !== envelope.tenant_id || current.tenant_id !== envelope.tenant_id,
  },
  principal_mismatch: {
    rehydration: ({ envelope, presented, current: { session } }) =>
      presented.principal_id !== envelope.principal_id ||
      differs(session?.principal_id, envelope.principal_id),
    sealing: ({ envelope, current }) => differs(current?.session?.principal_id, envelope.principal_id),
  },
  session_mismatch: {
    rehydration: ({ envelope, presented }) => presented.session_id !== envelope.session_id,
  },
  unknown_side_effect: {
    rehydration: ({ current }) =>
      current.side_effect?.side_effect_status === 'side_effect_unknown' ||
      current.other_unknown_side_effects.length > 0,
    sealing: ({ envelope, current }) =>
      current?.side_effect?.side_effect_status === 'side_effect_unknown' &&
      envelope.action.side_effect_status !== 'side_effect_unknown',
  },
  stale_epoch: {
    rehydration: ({ presented, session_epoch }) => differs(presented.session_epoch, session_epoch),
  },
  control_state_missing: {
    rehydration: ({ envelope, current }) => missingRecords(envelope, current).length > 0,
  },
  session_not_active: {
    rehydration: ({ current: { session } }) => differs(session?.session_status, 'active'),
  },
  principal_not_active: {
    rehydration: ({ current }) => differs(current.principal_status, 'active'),
  },
  authorization_mode_changed: {
    rehydration: ({ envelope, current: { session } }) =>
      differs(session?.authorization_mode, envelope.authorization_mode),
  },
  delegated_principal_changed: {
    rehydration: ({ envelope, current: { session } }) =>
      differs(session?.delegated_principal_id, envelope.delegated_principal_id),
  },
  delegated_scope_changed: {
    rehydration: ({ envelope, current: { session } }) =>
      differs(session?.delegated_scope, envelope.delegated_scope),
  },
  policy_version_changed: {
    rehydration: ({ envelope, current }) =>
      differs(current.policy_version, envelope.policy_version) ||
      differs(current.recorded_versions?.policy_version, envelope.policy_version),
  },
  capability_changed: {
    rehydration: ({ envelope, current: { side_effect } }) =>
      differs(side_effect?.capability_name, envelope.action.capability_name),
  },
  capability_version_changed: {
    rehydration: ({ envelope, current }) =>
      differs(current.capability_version, envelope.action.capability_version) ||
      differs(current.recorded_versions?.capability_version, envelope.action.capability_version),
  },
  approval_binding_changed: {
    rehydration: approvalIsBoundElsewhere,
    sealing: (facts) => approvalIsBoundElsewhere(facts) || approvalWasSealedUnderOthers(facts),
  },
  action_digest_changed: {
    rehydration: ({ envelope: { action }, current: { side_effect, approval } }) =>
      differs(side_effect?.action_digest, action.action_digest) ||
      differs(approval?.action_digest, action.action_digest),
  },
  idempotency_key_changed: {
    rehydration: ({ envelope, current: { session } }) =>
      differs(session?.idempotency_key, envelope.action.idempotency_key),
  },
  side_effect_status_changed: {
    rehydration: sideEffectStatusDiffers,
    sealing: sideEffectStatusDiffers,
  },
  checkpoint_changed: {
    rehydration: ({ envelope, current: { session } }) =>
      differs(session?.checkpoint_ref, envelope.checkpoint_ref),
  },
  sandbox_snapshot_changed: {
    rehydration: ({ envelope, current: { session } }) =>
      session?.sandbox_snapshot_ref !== undefined &&
      session.sandbox_snapshot_ref !== envelope.sandbox_snapshot_ref,
  },
  objective_changed: {
    rehydration: ({ envelope, current: { session } }) =>
      differs(session?.objective_sha256, envelope.objective_sha256),
  },
  constraint_missing: {
    rehydration: ({ envelope, current: { constraints } }) =>
      constraints !== undefined && missesAny(refsOf(constraints), refsOf(envelope.constraints)),
    sealing: (facts) => missesAny(refsOf(facts.envelope.constraints), constraintsToCarry(facts)),
  },
  constraint_changed: {
    rehydration: ({ envelope, current: { constraints } }) => {
      const frozen = new Map(envelope.constraints.map(({ ref, frozen_sha256 }) => [ref, frozen_sha256]));
      return (
        constraints?.some(({ ref, sha256 }) => sha256 !== undefined && differs(frozen.get(ref), sha256)) ??
        false
      );
    },
  },
  constraint_violated: {
    rehydration: ({ envelope, current: { constraints } }) =>
      constraints?.some(
        ({ constraint_status, forbids_capability }) =>
          constraint_status === 'active' && forbids_capability === envelope.action.capability_name,
      ) ?? false,
  },
  obligation_dropped: {
    sealing: (facts) => missesAny(facts.envelope.pending_obligations, obligationsToCarry(facts)),
  },
  obligation_unrecognized: {
    sealing: ({ envelope, current }) => {
      const discharged = new Set(obligationsOf(current, 'discharged'));
      return envelope.pending_obligations.some((obligation) => discharged.has(obligation));
    },
  },
  budget_exhausted: {
    rehydration: ({ envelope, current: { session } }) =>
      session?.budget_remaining !== undefined &&
      budgetIsExhausted(session.budget_remaining, envelope.budget_remaining),
  },
  approval_revoked: {
    rehydration: ({ current: { approval } }) => approval?.approval_status === 'revoked',
  },
  approval_not_active: {
    rehydration: ({ current: { approval } }) =>
      approval !== null && ['pending', 'rejected', 'expired'].includes(approval.approval_status),
  },
  approval_expired: {
    rehydration: ({ envelope, current: { approval }, decided_at }) =>
      isNotAfter(envelope.action.approval_expires_at, decided_at) ||
      (approval?.expires_at !== undefined && isNotAfter(approval.expires_at, decided_at)),
  },
};

/** Whether a value that the source holds is another one; what it doesn't hold is not compared. */
function differs<T>(held: T | null | undefined, expected: T | null): boolean {
  return held !== undefined && held !== null && held !== expected;
}

type ActionFacts = Pick<ComparedFacts, 'envelope'> & { readonly current: ControlStateFacts | null };

function approvalIsBoundElsewhere({ envelope, current }: ActionFacts): boolean {
  const { action, session_id } = envelope;
  return (
    differs(current?.side_effect?.approval_id, action.approval_id) ||
    differs(current?.side_effect?.session_id, session_id) ||
    differs(current?.approval?.session_id, session_id) ||
    differs(current?.approval?.capability_name, action.capability_name)
  );
}

/** A new version forces a new decision: sealing an old approval again under new versions would launder the change. */
function approvalWasSealedUnderOthers({ envelope, first_binding }: SealingFacts): boolean {
  return (
    first_binding !== null &&
    (first_binding.policy_version !== envelope.policy_version ||
      first_binding.capability_version !== envelope.action.capability_version ||
      first_binding.action_digest !== envelope.action.action_digest)
  );
}

/** An effect that the ledger calls unknown is rule 9's, whatever the envelope claims. */
function sideEffectStatusDiffers({ envelope, current }: ActionFacts): boolean {
  const effect = current?.side_effect;
  if (!effect || effect.side_effect_status === 'side_effect_unknown') return false;
  if (effect.side_effect_status === envelope.action.side_effect_status) return false;
  return !(envelope.action.side_effect_status === 'side_effect_unknown' && effect.reconciled);
}

function missesAny(held: readonly string[], wanted: readonly string[]): boolean {
  const set = new Set(held);
  return wanted.some((item) => !set.has(item));
}

function refsOf(constraints: readonly { readonly ref: string }[]): string[] {
  return constraints.map(({ ref }) => ref);
}

function budgetIsExhausted(remaining: number | null, claimed: number | null): boolean {
  if (remaining === null) return claimed !== null;
  return remaining <= 0 || remaining < (claimed ?? 0);
}

/** A time that can't be read has passed: in doubt, the gate stops. */
function isNotAfter(expiry: string, now: string): boolean {
  const [expiryInstant, nowInstant] = [readInstant(expiry), readInstant(now)];
  return expiryInstant === undefined || nowInstant === undefined || expiryInstant <= nowInstant;
}

function readInstant(text: string): Instant | undefined {
  const instant = parseTimestamp(text);
  return typeof instant === 'bigint' ? instant : undefined;
}
