import type { EvalName } from '../../../src/evals/scenario.js';
import type { FindingReason, Rule } from '../../../src/domain/rules.js';

/** A gate with one rule removed, moved or turned round, and the eval that must notice first of all. */
export interface WeakenedGate {
  readonly name: string;
  readonly caughtBy: EvalName;
  /** The table that this gate decides by, made from the sound one. */
  weaken(table: readonly Rule[]): Rule[];
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
  ['approval_not_eligible', 'approval_not_reusable'],
  ['approval_revoked', 'approval_not_reusable'],
  ['approval_not_active', 'approval_not_reusable'],
  ['approval_expired', 'approval_not_reusable'],
];

/** Gates that have the rule, in a version that looks right. */
const narrowed: readonly WeakenedGate[] = [
  gate(
    'looks only at the constraints that were sealed',
    'negative_constraint_enforced',
    changed('constraint_violated', () => ({
      perAction: {
        rehydration: ({ frozen }, { envelope, current }) => {
          const sealed = new Set(envelope.constraints.map(({ ref }) => ref));
          return (current.constraints ?? []).some(
            ({ ref, constraint_status, forbids_capability }) =>
              sealed.has(ref) &&
              constraint_status === 'active' &&
              forbids_capability === frozen.capability_name,
          );
        },
      },
    })),
  ),
  gate(
    'trusts the sealed expiry alone',
    'approval_not_reusable',
    changed('approval_expired', () => ({
      perAction: {
        rehydration: ({ frozen }, { decided_at }) =>
          frozen.approval_expires_at !== null &&
          Date.parse(frozen.approval_expires_at) <= Date.parse(decided_at),
      },
    })),
  ),
  gate(
    'counts decisions in place of those who decided',
    'approval_not_reusable',
    changed('approval_not_eligible', () => ({
      perAction: {
        rehydration: ({ approval }) =>
          (approval?.decisions ?? []).length < (approval?.required_approvals ?? 0) ||
          (approval?.decided_by !== undefined && approval.decided_by === approval.requested_by),
      },
    })),
  ),
  gate(
    'takes an old approval under a new policy',
    'version_change_forces_decision',
    changed('approval_binding_changed', ({ perAction: { sealing: _, ...perAction } = {} }) => ({
      perAction,
    })),
  ),
  gate(
    'lets an approval be sealed again with any end, for any key',
    'approval_not_reusable',
    changed('approval_binding_changed', ({ perAction = {} }) => ({
      perAction: {
        ...perAction,
        sealing: ({ first_binding: first, ...action }, facts) => {
          const first_binding = first && {
            policy_version: first.policy_version,
            capability_version: first.capability_version,
            action_digest: first.action_digest,
          };
          return perAction.sealing?.({ ...action, first_binding }, facts) ?? false;
        },
      },
    })),
  ),
  gate(
    'looks away from whoever has delegated',
    'identity_cannot_change',
    changed('principal_not_active', () => ({
      rehydration: ({ current }) =>
        current.principal_status !== null && current.principal_status !== 'active',
    })),
  ),
  gate(
    "asks only for the run's own key",
    'unknown_effect_not_retried',
    changed('unknown_side_effect', ({ perAction = {} }) => ({ perAction })),
  ),
  gate(
    'believes the envelope about the effect',
    'unknown_effect_not_retried',
    changed('unknown_side_effect', () => ({
      perAction: { rehydration: ({ frozen }) => frozen.side_effect_status === 'side_effect_unknown' },
    })),
  ),
  gate(
    'takes any end of an unknown effect for a settlement',
    'unknown_effect_not_retried',
    changed('side_effect_status_changed', ({ perAction = {} }) => ({
      perAction: {
        ...perAction,
        rehydration: (action, facts) =>
          action.frozen.side_effect_status !== 'side_effect_unknown' &&
          (perAction.rehydration?.(action, facts) ?? false),
      },
    })),
  ),
  gate(
    'believes whoever asks about the principal',
    'identity_cannot_change',
    changed('principal_mismatch', () => ({
      rehydration: ({ envelope, presented }) => presented.principal_id !== envelope.principal_id,
    })),
  ),
  gate(
    'forgets what only the previous envelope owes',
    'obligation_stays_visible',
    changed('obligation_dropped', ({ sealing }) => ({
      sealing: (facts) => sealing?.({ ...facts, previous: null }) ?? false,
    })),
  ),
  gate(
    'is content with any obligation',
    'obligation_stays_visible',
    changed('obligation_dropped', ({ sealing }) => ({
      sealing: (facts) => facts.envelope.pending_obligations.length === 0 && (sealing?.(facts) ?? false),
    })),
  ),
];

/** Gates whose rules speak in another order. */
const reordered: readonly WeakenedGate[] = [
  gate(
    'asks for a new approval before it asks what has happened',
    'unknown_effect_not_retried',
    moved('unknown_side_effect', 'approval_expired'),
  ),
  gate(
    'tells strangers which write is in doubt',
    'identity_cannot_change',
    moved('unknown_side_effect', 'schema_version_unsupported'),
  ),
  gate(
    'sees the capability before the policy',
    'version_change_forces_decision',
    moved('capability_version_changed', 'policy_version_changed'),
  ),
];

/** Gates that stop too much, up to everything. */
const overStrict: readonly WeakenedGate[] = [
  gate(
    'stops whatever has time left',
    'approval_not_reusable',
    changed('approval_expired', ({ perAction }) => ({
      perAction: { rehydration: (action, facts) => perAction?.rehydration?.(action, facts) !== true },
    })),
  ),
  gate(
    'takes a withdrawn constraint for an active one',
    'negative_constraint_enforced',
    changed('constraint_violated', () => ({
      perAction: {
        rehydration: ({ frozen }, { current }) =>
          (current.constraints ?? []).some(
            ({ forbids_capability }) => forbids_capability === frozen.capability_name,
          ),
      },
    })),
  ),
  gate(
    'never forgives an unknown effect',
    'unknown_effect_not_retried',
    changed('side_effect_status_changed', () => ({
      perAction: {
        rehydration: ({ frozen, side_effect }) =>
          side_effect !== null && side_effect.side_effect_status !== frozen.side_effect_status,
      },
    })),
  ),
  gate(
    'takes a discharged obligation for a dropped one',
    'obligation_stays_visible',
    changed('obligation_dropped', () => ({
      rehydration: ({ current }) =>
        (current.obligations ?? []).some(({ obligation_status }) => obligation_status === 'discharged'),
    })),
  ),
  gate(
    'stops for every constraint that has joined',
    'negative_constraint_enforced',
    changed('constraint_missing', () => ({
      rehydration: ({ envelope, current }) => {
        const sealed = new Set(envelope.constraints.map(({ ref }) => ref));
        return (current.constraints ?? []).some(({ ref }) => !sealed.has(ref));
      },
    })),
  ),
];

export const weakenedGates: readonly WeakenedGate[] = [
  ...removed.map(([reason, caughtBy]) =>
    gate(
      `does not know ${reason}`,
      caughtBy,
      changed(reason, () => ({})),
    ),
  ),
  ...narrowed,
  ...reordered,
  ...overStrict,
];

function gate(name: string, caughtBy: EvalName, weaken: WeakenedGate['weaken']): WeakenedGate {
  return { name, caughtBy, weaken };
}

type Predicates = Pick<Rule, 'sealing' | 'rehydration' | 'perAction'>;

/** The table with other predicates for one rule. */
function changed(
  reason: FindingReason,
  predicates: (sound: Predicates) => Predicates,
): WeakenedGate['weaken'] {
  return (table) =>
    table.map((rule) => (rule.reason === reason ? withPredicates(rule, predicates(rule)) : rule));
}

function withPredicates(
  { sealing: _s, rehydration: _r, perAction: _p, ...rule }: Rule,
  other: Predicates,
): Rule {
  return { ...rule, ...other };
}

/** The table with one rule in the place of another one, which gives way. */
function moved(reason: FindingReason, place: FindingReason): WeakenedGate['weaken'] {
  return (table) => {
    const to = table.findIndex((rule) => rule.reason === place);
    const others = table.filter((rule) => rule.reason !== reason);
    return [...others.slice(0, to), ...table.filter((rule) => rule.reason === reason), ...others.slice(to)];
  };
}
