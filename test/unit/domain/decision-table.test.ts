import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';

import { decide } from '../../../src/domain/decide.js';
import { missingRecords } from '../../../src/domain/missing-records.js';
import { refusalReasons } from '../../../src/domain/reasons.js';
import { isAskedAt, rules, type FindingReason } from '../../../src/domain/rules.js';
import { sideEffectStatuses } from '../../../src/domain/vocabulary.js';
import {
  comparedFacts,
  rehydrationCases,
  sealingCases,
  sealingFacts,
  type DecisionCase,
} from '../../support/decision-cases.js';
import { readFixture } from '../../support/read-fixture.js';

describe.each([
  { phase: 'rehydration' as const, cases: rehydrationCases, factsOf: comparedFacts },
  { phase: 'sealing' as const, cases: sealingCases, factsOf: sealingFacts },
])('$phase', ({ phase, cases, factsOf }) => {
  const asked = rules.filter((rule) => isAskedAt(phase, rule)).map(({ reason }) => reason);

  it('has cases for every rule that it asks, and for no other', () => {
    expect(cases.rules.map(({ rule }) => rule)).toEqual(asked);
    expect(cases.rules.filter(({ precedes }) => !precedes).map(({ rule }) => rule)).toEqual(asked.slice(-1));
  });

  describe.each(cases.rules)('$rule', ({ rule, fails, holds, precedes }) => {
    it.each(fails)('fails when $situation', (failing) => {
      expect(failing.findings).toContain(rule);
      expectDecision(failing);
    });

    it.each(holds)('holds when $situation', (holding) => {
      expect(holding.findings).not.toContain(rule);
      expectDecision(holding);
    });

    it.each(precedes ? [precedes] : [])('comes before the next rule: $situation', (preceding) => {
      expect(preceding.findings).toEqual([rule, nextRule(asked, rule)]);
      expectDecision(preceding);
    });
  });

  it.each(cases.situations)('decides: $situation', expectDecision);

  function expectDecision(expected: DecisionCase): void {
    const facts = factsOf(expected);

    expect(decide(facts)).toEqual({
      status: expected.status,
      reason: expected.reason,
      findings: expected.findings.map((reason) => ({ reason })),
      authorized: false,
      requires_reauthorization: true,
    });
    if (facts.kind === 'compared') {
      expect(missingRecords(facts.envelope, facts.current)).toEqual(expected.missing ?? []);
    }
  }
});

/** The next rule that can fail beside this one: an approval can't be revoked and merely inactive at once. */
function nextRule(asked: readonly FindingReason[], rule: FindingReason): FindingReason | undefined {
  const followers = asked.slice(asked.indexOf(rule) + 1);
  return followers.find((follower) => rule !== 'approval_revoked' || follower !== 'approval_not_active');
}

describe("the status of the side effect under the envelope's key", () => {
  const status = Type.Union(sideEffectStatuses.map((literal) => Type.Literal(literal)));
  const { rows } = readFixture(
    'side-effect-matrix.json',
    Type.Object({
      rows: Type.Array(
        Type.Object({
          sealed: status,
          ledger: status,
          reconciled: Type.Boolean(),
          rehydration: Type.Union([Type.String(), Type.Null()]),
          compaction: Type.Union([Type.String(), Type.Null()]),
        }),
      ),
    }),
  );

  it('has a row for every combination', () => {
    const combinations = new Set(rows.map((row) => [row.sealed, row.ledger, row.reconciled].join()));

    expect(combinations.size).toBe(sideEffectStatuses.length ** 2 * 2);
  });

  it.each(rows)(
    'sealed $sealed, in the ledger $ledger, reconciled $reconciled: $rehydration, at sealing $compaction',
    ({ sealed, ledger, reconciled, rehydration, compaction }) => {
      const change = {
        situation: 'matrix',
        set: {
          '/envelope/actions/0/side_effect_status': sealed,
          '/current/actions/0/side_effect/side_effect_status': ledger,
          '/current/actions/0/side_effect/reconciled': reconciled,
        },
      };

      expect(decide(comparedFacts(change)).findings).toEqual(findingsOf(rehydration));
      expect(decide(sealingFacts(change)).findings).toEqual(findingsOf(compaction));
    },
  );

  function findingsOf(reason: string | null) {
    return reason === null ? [] : [{ reason }];
  }
});

describe('a refusal', () => {
  it.each(refusalReasons)('stops for %s alone', (refusal) => {
    const { decided_at, presented } = comparedFacts({ situation: 'unchanged' });

    expect(decide({ kind: 'refused', decided_at, refusal, presented })).toEqual({
      status: 'continuity_validation_failed',
      reason: refusal,
      findings: [{ reason: refusal }],
      authorized: false,
      requires_reauthorization: true,
    });
  });
});
