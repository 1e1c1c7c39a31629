import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decide } from '../../../src/domain/decide.js';
import {
  DecisionFacts,
  type ActionStateFacts,
  type ComparedFacts,
  type ControlStateFacts,
  type SealingFacts,
} from '../../../src/domain/facts.js';
import { findingReasons } from '../../../src/domain/reasons.js';
import type { FindingReason } from '../../../src/domain/rules.js';
import { fromStoredFacts, toStoredFacts, type StoredFacts } from '../../../src/domain/stored-facts.js';
import { decisionStatuses } from '../../../src/domain/vocabulary.js';
import { anyComparedFacts, anyFacts, anySealingFacts, foreignCount, foreignText } from './arbitrary-facts.js';
import { asFacts } from '../../support/decision-cases.js';

describe('a decision on any facts', () => {
  it('is no authorization, and leaves no room for one', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const decision = decide(facts);

        expect(Object.keys(decision)).toEqual([
          'status',
          'reason',
          'findings',
          'authorized',
          'requires_reauthorization',
        ]);
        expect(decision.authorized).toBe(false);
        expect(decision.requires_reauthorization).toBe(true);
        expect(decisionStatuses).toContain(decision.status);
      }),
    );
  });

  it('goes on only where nothing was found', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { status, findings } = decide(facts);

        expect(status === 'reauthorization_required').toBe(findings.length === 0);
      }),
    );
  });

  it('tells its findings in the order of the table, each once, and the first is the reason', () => {
    fc.assert(
      fc.property(fc.oneof(anyComparedFacts, anySealingFacts), (facts) => {
        const { reason, findings } = decide(facts);
        const reasons = findings.map((finding) => finding.reason);

        expect(reasons).toEqual(findingReasons.filter((known) => reasons.includes(known)));
        expect(reason).toBe(reasons[0] ?? 'continuity_validated');
      }),
    );
  });

  it('is blocked on a reconciliation only where that is the first finding', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { status, findings } = decide(facts);

        expect(status === 'blocked_on_reconciliation').toBe(findings[0]?.reason === 'unknown_side_effect');
      }),
    );
  });

  it('is the same again, also from facts that were stored and read back', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const before = structuredClone(facts);
        const decision = decide(facts);

        expect(decide(facts)).toEqual(decision);
        expect(decide(storedAndRead(facts))).toEqual(decision);
        expect(facts).toEqual(before);
      }),
    );
  });
});

/** A change for the worse in one place; the facts themselves where there is no such place. */
type Drift<Facts> = (facts: Facts) => Facts;

const rehydrationDrifts: Partial<Record<FindingReason, Drift<ComparedFacts>>> = {
  schema_version_unsupported: inEnvelope({ schema_version: foreignText }),
  envelope_integrity_mismatch: (facts) => ({ ...facts, stored_envelope_sha256: foreignText }),
  envelope_superseded: (facts) => ({ ...facts, newest_envelope_id: foreignText }),
  summary_digest_mismatch: presenting({ summary_sha256: foreignText }),
  event_lineage_mismatch: presenting({ source_event_range: { first: foreignText, last: foreignText } }),
  tenant_mismatch: inRecords({ tenant_id: foreignText }),
  principal_mismatch: presenting({ principal_id: foreignText }),
  session_mismatch: presenting({ session_id: foreignText }),
  unknown_side_effect: inRecords({
    other_unknown_side_effects: [{ idempotency_key: foreignText, capability_name: foreignText }],
  }),
  stale_epoch: presenting({ session_epoch: foreignCount }),
  session_not_active: inSession({ session_status: 'ended' }),
  principal_not_active: inRecords({ principal_status: 'removed' }),
  delegated_principal_changed: inSession({ delegated_principal_id: foreignText }),
  delegated_scope_changed: inSession({ delegated_scope: foreignText }),
  policy_version_changed: inRecords({ recorded_policy_version: foreignText }),
  capability_version_changed: inAction({ recorded_capability_version: foreignText }),
  capability_changed: inSideEffect({ capability_name: foreignText }),
  approval_binding_changed: inSideEffect({ approval_id: foreignText }),
  action_digest_changed: inSideEffect({ action_digest: foreignText }),
  idempotency_key_changed: inSession({ idempotency_key: foreignText }),
  checkpoint_changed: inSession({ checkpoint_ref: foreignText }),
  sandbox_snapshot_changed: inSession({ sandbox_snapshot_ref: foreignText }),
  objective_changed: inSession({ objective_sha256: foreignText }),
  constraint_missing: (facts) => (facts.current.constraints ? sealedWithAnotherConstraint(facts) : facts),
  budget_exhausted: inSession({ budget_remaining: 0 }),
  approval_expired: (facts) =>
    facts.envelope.actions.some(({ approval_expires_at }) => approval_expires_at !== null)
      ? { ...facts, decided_at: '9999-12-31T23:59:59.999999Z' }
      : facts,
};

/** Changes for the worse that put one finding in another one's place. */
const displacingDrifts: Drift<ComparedFacts>[] = [
  inRecords({ policy_version: null }),
  inAction({ capability_version: null }),
  inRecords({ session: null }),
  inAction({ approval: null }),
  inAction({ side_effect: null }),
  inRecords({ constraints: [] }),
  inSideEffect({ side_effect_status: 'side_effect_unknown' }),
  inApproval({ approval_status: 'revoked' }),
];

const sealingDrifts: Partial<Record<FindingReason, Drift<SealingFacts>>> = {
  summary_digest_mismatch: (facts) => ({ ...facts, presented_summary_sha256: foreignText }),
  event_lineage_mismatch: (facts) =>
    facts.current ? { ...facts, current: { ...facts.current, lineage: emptyLog } } : facts,
  approval_binding_changed: (facts) =>
    facts.envelope.actions.length === 0 ? facts : { ...facts, first_bindings: [foreignBinding] },
  constraint_missing: (facts) =>
    carryingOn(facts, (previous) => ({ constraint_refs: [...previous.constraint_refs, foreignText] })),
  obligation_dropped: (facts) =>
    carryingOn(facts, (previous) => ({
      pending_obligations: [...previous.pending_obligations, foreignText],
    })),
};
const foreignBinding = {
  policy_version: foreignText,
  capability_version: foreignText,
  action_digest: foreignText,
};
const emptyLog = { first_sequence: null, last_sequence: null, lineage_sha256: null };

describe('more drift', () => {
  it.each(Object.entries(rehydrationDrifts))(
    'is found at rehydration beside all else: %s',
    (reason, drift) => {
      expectOneMoreFinding(anyComparedFacts, drift, reason);
    },
  );

  it.each(Object.entries(sealingDrifts))('is found at sealing beside all else: %s', (reason, drift) => {
    expectOneMoreFinding(anySealingFacts, drift, reason);
  });

  it('never turns a stop into a go', () => {
    const drifts = [...Object.values(rehydrationDrifts), ...displacingDrifts];
    const stops = anyComparedFacts.filter((facts) => decide(facts).findings.length > 0);

    fc.assert(
      fc.property(stops, fc.subarray(drifts), (facts, further) => {
        const drifted = further.reduce((worse, drift) => drift(worse), facts);

        expect(decide(drifted).status).not.toBe('reauthorization_required');
      }),
    );
  });

  it('takes away no finding where it touches another place', () => {
    fc.assert(
      fc.property(anyComparedFacts, fc.subarray(Object.values(rehydrationDrifts)), (facts, further) => {
        const drifted = further.reduce((worse, drift) => drift(worse), facts);

        expect(reasonsOf(drifted)).toEqual(expect.arrayContaining(reasonsOf(facts)));
      }),
    );
  });
});

function expectOneMoreFinding<Facts extends DecisionFacts>(
  any: fc.Arbitrary<Facts>,
  drift: Drift<Facts>,
  reason: string,
): void {
  fc.assert(
    fc.property(any, (facts) => {
      const drifted = drift(facts);
      const found = drifted === facts ? [] : [reason];

      expect(reasonsOf(drifted)).toEqual(expect.arrayContaining([...reasonsOf(facts), ...found]));
    }),
  );
}

function reasonsOf(facts: DecisionFacts) {
  return decide(facts).findings.map(({ reason }) => reason);
}

function storedAndRead(facts: DecisionFacts): DecisionFacts {
  const stored = JSON.parse(JSON.stringify(toStoredFacts(facts))) as StoredFacts;
  return asFacts(DecisionFacts, fromStoredFacts(stored));
}

function inEnvelope(change: Partial<ComparedFacts['envelope']>): Drift<ComparedFacts> {
  return (facts) => ({ ...facts, envelope: { ...facts.envelope, ...change } });
}

function presenting(change: Partial<ComparedFacts['presented']>): Drift<ComparedFacts> {
  return (facts) => ({ ...facts, presented: { ...facts.presented, ...change } });
}

function inRecords(change: Partial<ControlStateFacts>): Drift<ComparedFacts> {
  return (facts) => ({ ...facts, current: { ...facts.current, ...change } });
}

function inSession(change: Partial<Held<ControlStateFacts['session']>>): Drift<ComparedFacts> {
  return (facts) => {
    const { session } = facts.current;
    return session ? inRecords({ session: { ...session, ...change } })(facts) : facts;
  };
}

/** What is said of the first action, if there is one, and anything is said of it. */
function inAction(change: Partial<ActionStateFacts>): Drift<ComparedFacts> {
  return (facts) => {
    const [first, ...others] = facts.current.actions;
    if (facts.envelope.actions.length === 0 || !first) return facts;
    return inRecords({ actions: [{ ...first, ...change }, ...others] })(facts);
  };
}

function inSideEffect(change: Partial<Held<ActionStateFacts['side_effect']>>): Drift<ComparedFacts> {
  return (facts) => {
    const side_effect = facts.current.actions[0]?.side_effect;
    return side_effect ? inAction({ side_effect: { ...side_effect, ...change } })(facts) : facts;
  };
}

function inApproval(change: Partial<Held<ActionStateFacts['approval']>>): Drift<ComparedFacts> {
  return (facts) => {
    const approval = facts.current.actions[0]?.approval;
    return approval ? inAction({ approval: { ...approval, ...change } })(facts) : facts;
  };
}

type Held<Member> = NonNullable<Member>;

function sealedWithAnotherConstraint(facts: ComparedFacts): ComparedFacts {
  const added = { ref: foreignText, frozen_sha256: null };
  return inEnvelope({ constraints: [...facts.envelope.constraints, added] })(facts);
}

type Previous = NonNullable<SealingFacts['previous']>;

function carryingOn(facts: SealingFacts, more: (previous: Previous) => Partial<Previous>): SealingFacts {
  const { previous } = facts;
  return previous ? { ...facts, previous: { ...previous, ...more(previous) } } : facts;
}
