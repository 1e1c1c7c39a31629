import { describe, expect, it } from 'vitest';

import { soleAction } from '../../../src/domain/actions.js';
import { controlStateSourceOf, disclose } from '../../../src/domain/disclosure.js';
import { rules, type FindingReason } from '../../../src/domain/rules.js';
import { comparedFacts } from '../../support/decision-cases.js';

const facts = comparedFacts({
  situation: 'an unknown effect, and no approval',
  set: {
    '/current/actions/0/side_effect/side_effect_status': 'side_effect_unknown',
    '/current/actions/0/approval': null,
  },
});
const { approval_id, idempotency_key, capability_name } = soleAction(facts.envelope);
const own = { idempotency_key, capability_name };
const other = { idempotency_key: 'other-key', capability_name: 'other_capability' };

function disclosed(reasons: readonly FindingReason[], from = facts) {
  return disclose({ findings: reasons.map((reason) => ({ reason })) }, from);
}

describe('a stop', () => {
  it('tells what was sealed, and nothing that no finding is about', () => {
    expect(Object.keys(disclosed(['policy_version_changed']))).toEqual(['sealed']);
    expect(disclosed(['policy_version_changed']).sealed).toMatchObject({
      idempotency_key: own.idempotency_key,
      side_effect_status: 'side_effect_unknown',
    });
  });

  it('tells every effect that is unknown, its own first', () => {
    const current = { ...facts.current, other_unknown_side_effects: [other] };

    expect(disclosed(['unknown_side_effect'], { ...facts, current }).unresolved).toEqual([own, other]);
  });

  it('tells the other effects alone where its own is known', () => {
    const known = comparedFacts({
      situation: 'another effect is unknown',
      set: { '/current/other_unknown_side_effects': [other] },
    });

    expect(disclosed(['unknown_side_effect'], known).unresolved).toEqual([other]);
  });

  it('tells which records are missing', () => {
    expect(disclosed(['control_state_missing']).missing).toEqual([`approvals/${approval_id}`]);
  });

  it.each(rules.filter(({ withholds }) => withholds).map(({ reason }) => reason))(
    'keeps the effects back beside %s, and tells the rest',
    (reason) => {
      expect(Object.keys(disclosed([reason, 'unknown_side_effect', 'control_state_missing']))).toEqual([
        'sealed',
        'missing',
      ]);
    },
  );

  it.each(rules.filter(({ identity }) => identity).map(({ reason }) => reason))(
    'tells whoever may be somebody else nothing: %s',
    (reason) => {
      expect(disclosed([reason, 'unknown_side_effect', 'control_state_missing'])).toEqual({});
    },
  );

  it('tells nothing where there was nothing to compare', () => {
    const { decided_at, presented } = facts;
    const refused = {
      kind: 'refused' as const,
      refusal: 'envelope_not_found' as const,
      decided_at,
      presented,
    };

    expect(disclose({ findings: [{ reason: 'envelope_not_found' }] }, refused)).toEqual({});
    expect(controlStateSourceOf(refused)).toBe('records');
    expect(controlStateSourceOf({ ...refused, refusal: 'attested_state_refused' })).toBe('attested');
  });
});
