import { describe, expect, it } from 'vitest';

import type { DecisionFacts } from '../../../src/domain/facts.js';
import { fromStoredFacts, toStoredFacts } from '../../../src/domain/stored-facts.js';
import { comparedFacts, rehydrationCases, sealingCases, sealingFacts } from '../../support/decision-cases.js';

const beside = {
  '/current/recorded_policy_version': 'policy-v5',
  '/current/actions/0/recorded_capability_version': null,
};

describe('the facts of an envelope with one action', () => {
  it.each<[string, DecisionFacts]>([
    ...Object.keys(rehydrationCases.bases).map(
      (base) => [base, comparedFacts({ situation: 'stored', base })] as [string, DecisionFacts],
    ),
    ...Object.keys(sealingCases.bases).map(
      (base) => [base, sealingFacts({ situation: 'stored', base })] as [string, DecisionFacts],
    ),
    ['attested, beside records', comparedFacts({ situation: 'stored', base: 'attested', set: beside })],
  ])('are read back as they were: %s', (_, facts) => {
    expect(fromStoredFacts(toStoredFacts(facts))).toStrictEqual(facts);
  });

  it('are stored as a release wrote them that knew no others', () => {
    const facts = comparedFacts({ situation: 'stored' });
    const [action] = facts.envelope.actions;
    const [state] = facts.current.actions;

    expect(toStoredFacts(facts)).toMatchObject({
      envelope: { action },
      current: {
        capability_version: state?.capability_version,
        approval: state?.approval,
        side_effect: state?.side_effect,
        revisions: { policy: 3, capability: 1, principal: null },
      },
    });
  });
});
