import type { EvalName } from '../../src/evals/scenario.js';
import type { ComparedFacts } from '../../src/domain/facts.js';
import { rules, type Rule } from '../../src/domain/rules.js';
import { findingReasons, type FindingReason } from '../../src/domain/vocabulary.js';

type Rules = Record<FindingReason, Rule>;

/** A gate with one rule removed, moved or turned round, and the eval that must notice first of all. */
export interface WeakenedGate {
  readonly name: string;
  readonly caughtBy: EvalName;
  /** Changes the table, or the order in which it speaks. */
  weaken(table: Rules, order: FindingReason[]): void;
}

/** Uses this program's gate while one of its rules is weakened. Nothing of it stays. */
export async function whileWeakened<T>(gate: WeakenedGate, use: () => T | Promise<T>): Promise<T> {
  // The table and its order are constants to the program; only here does it matter that they are objects.
  const table: Rules = rules;
  const order = findingReasons as unknown as FindingReason[];
  const [sound, soundOrder] = [{ ...table }, [...order]];
  gate.weaken(table, order);
  try {
    return await use();
  } finally {
    Object.assign(table, sound);
    order.splice(0, order.length, ...soundOrder);
  }
}

/** One removed rule each: every rule that the public API can reach. */
const removed: readonly [FindingReason, EvalName][] = [
  ['envelope_superseded', 'trace_links_both_sides'],
  ['summary_digest_mismatch', 'injected_instructions_stay_data'],
  ['event_lineage_mismatch', 'trace_links_both_sides'],
  ['principal_mismatch', 'identity_cannot_change'],
  ['session_mismatch', 'identity_cannot_change'],
  ['unknown_side_effect', 'unknown_effect_not_retried'],
  ['stale_epoch', 'trace_links_both_sides'],
  ['control_state_missing', 'version_change_forces_decision'],
  ['session_not_active', 'trace_links_both_sides'],
  ['principal_not_active', 'identity_cannot_change'],
  ['authorization_mode_changed', 'identity_cannot_change'],
  ['delegated_principal_changed', 'identity_cannot_change'],
  ['delegated_scope_changed', 'identity_cannot_change'],
  ['policy_version_changed', 'version_change_forces_decision'],
  ['capability_changed', 'version_change_forces_decision'],
  ['capability_version_changed', 'version_change_forces_decision'],
  ['approval_binding_changed', 'version_change_forces_decision'],
  ['action_digest_changed', 'version_change_forces_decision'],
  ['idempotency_key_changed', 'public_incidents'],
  ['side_effect_status_changed', 'unknown_effect_not_retried'],
  ['checkpoint_changed', 'public_incidents'],
  ['sandbox_snapshot_changed', 'public_incidents'],
  ['objective_changed', 'public_incidents'],
  ['constraint_missing', 'negative_constraint_enforced'],
  ['constraint_changed', 'negative_constraint_enforced'],
  ['constraint_violated', 'negative_constraint_enforced'],
  ['obligation_dropped', 'obligation_stays_visible'],
  ['obligation_unrecognized', 'obligation_stays_visible'],
  ['budget_exhausted', 'public_incidents'],
  ['approval_revoked', 'approval_not_reusable'],
  ['approval_not_active', 'approval_not_reusable'],
  ['approval_expired', 'approval_not_reusable'],
];

/** Gates that have the rule, in a version that looks right. */
const narrowed: readonly WeakenedGate[] = [
  gate('looks only at the constraints that were sealed', 'negative_constraint_enforced', (table) => {
    table.constraint_violated = onResume(({ envelope, current }) => {
      const sealed = new Set(envelope.constraints.map(({ ref }) => ref));
      return (current.constraints ?? []).some(
        ({ ref, constraint_status, forbids_capability }) =>
          sealed.has(ref) &&
          constraint_status === 'active' &&
          forbids_capability === envelope.action.capability_name,
      );
    });
  }),
  gate('trusts the sealed expiry alone', 'approval_not_reusable', (table) => {
    table.approval_expired = onResume(
      ({ envelope, decided_at }) => Date.parse(envelope.action.approval_expires_at) <= Date.parse(decided_at),
    );
  }),
  gate('takes an old approval under a new policy', 'version_change_forces_decision', (table) => {
    const { rehydration } = table.approval_binding_changed;
    table.approval_binding_changed = rehydration ? { rehydration } : {};
  }),
  gate("asks only for the run's own key", 'unknown_effect_not_retried', (table) => {
    const { sealing } = table.unknown_side_effect;
    table.unknown_side_effect = {
      ...(sealing && { sealing }),
      ...onResume(({ current }) => current.side_effect?.side_effect_status === 'side_effect_unknown'),
    };
  }),
  gate('believes the envelope about the effect', 'unknown_effect_not_retried', (table) => {
    table.unknown_side_effect = onResume(
      ({ envelope }) => envelope.action.side_effect_status === 'side_effect_unknown',
    );
  }),
  gate('believes whoever asks about the principal', 'identity_cannot_change', (table) => {
    table.principal_mismatch = onResume(
      ({ envelope, presented }) => presented.principal_id !== envelope.principal_id,
    );
  }),
  gate('forgets what only the previous envelope owes', 'obligation_stays_visible', (table) => {
    const { sealing } = table.obligation_dropped;
    table.obligation_dropped = { sealing: (facts) => sealing?.({ ...facts, previous: null }) ?? false };
  }),
  gate('is content with any obligation', 'obligation_stays_visible', (table) => {
    const { sealing } = table.obligation_dropped;
    table.obligation_dropped = {
      sealing: (facts) => facts.envelope.pending_obligations.length === 0 && (sealing?.(facts) ?? false),
    };
  }),
];

/** Gates whose rules speak in another order. */
const reordered: readonly WeakenedGate[] = [
  gate(
    'asks for a new approval before it asks what has happened',
    'unknown_effect_not_retried',
    (_, order) => {
      move(order, 'unknown_side_effect', order.length - 1);
    },
  ),
  gate('tells strangers which write is in doubt', 'identity_cannot_change', (_, order) => {
    move(order, 'unknown_side_effect', 0);
  }),
  gate('sees the capability before the policy', 'version_change_forces_decision', (_, order) => {
    move(order, 'capability_version_changed', order.indexOf('policy_version_changed'));
  }),
];

/** Gates that stop too much, up to everything. */
const overStrict: readonly WeakenedGate[] = [
  gate('stops whatever has time left', 'approval_not_reusable', inverted('approval_expired')),
  gate('takes a withdrawn constraint for an active one', 'negative_constraint_enforced', (table) => {
    table.constraint_violated = onResume(({ envelope, current }) =>
      (current.constraints ?? []).some(
        ({ forbids_capability }) => forbids_capability === envelope.action.capability_name,
      ),
    );
  }),
  gate('never forgives an unknown effect', 'unknown_effect_not_retried', (table) => {
    table.side_effect_status_changed = onResume(
      ({ envelope, current }) =>
        current.side_effect !== null &&
        current.side_effect.side_effect_status !== envelope.action.side_effect_status,
    );
  }),
  gate('takes a discharged obligation for a dropped one', 'obligation_stays_visible', (table) => {
    table.obligation_dropped = onResume(({ current }) =>
      (current.obligations ?? []).some(({ obligation_status }) => obligation_status === 'discharged'),
    );
  }),
  gate('stops for every constraint that has joined', 'negative_constraint_enforced', (table) => {
    table.constraint_missing = onResume(({ envelope, current }) => {
      const sealed = new Set(envelope.constraints.map(({ ref }) => ref));
      return (current.constraints ?? []).some(({ ref }) => !sealed.has(ref));
    });
  }),
];

export const weakenedGates: readonly WeakenedGate[] = [
  ...removed.map(([reason, caughtBy]) =>
    gate(`does not know ${reason}`, caughtBy, (table) => {
      table[reason] = {};
    }),
  ),
  ...narrowed,
  ...reordered,
  ...overStrict,
];

function gate(name: string, caughtBy: EvalName, weaken: WeakenedGate['weaken']): WeakenedGate {
  return { name, caughtBy, weaken };
}

function onResume(rehydration: (facts: ComparedFacts) => boolean): Rule {
  return { rehydration };
}

function inverted(reason: FindingReason): WeakenedGate['weaken'] {
  return (table) => {
    const { rehydration } = table[reason];
    table[reason] = onResume((facts) => rehydration?.(facts) !== true);
  };
}

function move(order: FindingReason[], reason: FindingReason, to: number): void {
  order.splice(order.indexOf(reason), 1);
  order.splice(to, 0, reason);
}
