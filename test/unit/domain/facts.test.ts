import { Value } from '@sinclair/typebox/value';
import { describe, expect, it } from 'vitest';

import { ComparedFacts, DecisionFacts } from '../../../src/domain/facts.js';
import { comparedFacts } from '../../support/decision-cases.js';
import { edited, pointersIn, valueAt } from '../../support/edit-json.js';

const facts = comparedFacts({ situation: 'unchanged' });

describe('the facts of a decision', () => {
  it('are stored and read back as they are', () => {
    expect(Value.Check(DecisionFacts, JSON.parse(JSON.stringify(facts)))).toBe(true);
  });

  it.each([
    '/session_epoch',
    '/presented/session_epoch',
    '/current/revisions/policy',
    '/current/lineage/first_sequence',
  ])('count in whole numbers from zero: %s', (pointer) => {
    const counted = [-1, 0.5, 0].map((count) =>
      Value.Check(ComparedFacts, edited(facts, { set: { [pointer]: count } })),
    );

    expect(counted).toEqual([false, false, true]);
  });

  it.each(pointersIn(facts, (member) => typeof member === 'string'))('hold text at %s', (pointer) => {
    expect(Value.Check(ComparedFacts, edited(facts, { set: { [pointer]: true } }))).toBe(false);
  });

  it('document their literals as text', () => {
    const literals = pointersIn(DecisionFacts, (member) => Array.isArray(valueAt(member, '/enum')));

    expect(literals.length).toBeGreaterThan(10);
    for (const pointer of literals) expect(valueAt(DecisionFacts, `${pointer}/type`)).toBe('string');
  });
});
