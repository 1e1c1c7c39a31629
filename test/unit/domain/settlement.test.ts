import { describe, expect, it } from 'vitest';

import { ContinuityFormatError } from '../../../src/domain/format-error.js';
import { parseSettlement, SettlementBody } from '../../../src/domain/settlement.js';
import { edited } from '../../support/edit-json.js';

const settlement = {
  outcome: 'side_effect_committed',
  evidence_refs: ['provider:receipt-8812', 'log:7'],
  reconciled_by: 'reconciler-1',
};

describe('a settlement', () => {
  it.each(['side_effect_committed', 'not_started'])('says that the effect is %s', (outcome) => {
    expect(parseSettlement({ ...settlement, outcome })).toEqual({ ...settlement, outcome });
  });

  it('is read without white space around its strings, in the order of its evidence', () => {
    const padded = {
      outcome: ' not_started\n',
      evidence_refs: ['\u2003b', 'a\u0085', 'b'],
      reconciled_by: '\tme ',
    };

    expect(parseSettlement(padded)).toEqual({
      outcome: 'not_started',
      evidence_refs: ['b', 'a', 'b'],
      reconciled_by: 'me',
    });
  });

  const faults = [
    { set: { '': null }, error: 'Continuity request must be an object', pointer: '' },
    { set: { '': [] }, error: 'Continuity request must be an object', pointer: '' },
    {
      set: { '/authorized': true },
      error: 'Continuity field is not supported: authorized',
      pointer: '/authorized',
    },
    { remove: ['/outcome'], error: 'Continuity field is required: outcome', pointer: '/outcome' },
    { set: { '/outcome': null }, error: 'Continuity field must be a string: outcome', pointer: '/outcome' },
    {
      set: { '/outcome': 'side_effect_unknown' },
      error: 'Continuity reconciliation outcome is not supported: side_effect_unknown',
      pointer: '/outcome',
    },
    {
      remove: ['/evidence_refs'],
      error: 'Continuity field is required: evidence_refs',
      pointer: '/evidence_refs',
    },
    {
      set: { '/evidence_refs': [] },
      error: 'Continuity field is required: evidence_refs',
      pointer: '/evidence_refs',
    },
    {
      set: { '/evidence_refs': 'log:7' },
      error: 'Continuity field must be an array: evidence_refs',
      pointer: '/evidence_refs',
    },
    {
      set: { '/evidence_refs/1': ' ' },
      error: 'Continuity field is required: evidence_refs[1]',
      pointer: '/evidence_refs/1',
    },
    {
      set: { '/evidence_refs': new Array<string>(1_001).fill('log:7') },
      error: 'Continuity field is too long: evidence_refs',
      pointer: '/evidence_refs',
    },
    {
      remove: ['/reconciled_by'],
      error: 'Continuity field is required: reconciled_by',
      pointer: '/reconciled_by',
    },
    {
      set: { '/reconciled_by': 'me\u0000' },
      error: 'Continuity field has a character that is not allowed: reconciled_by',
      pointer: '/reconciled_by',
    },
    {
      set: { '/reconciled_by': 'm'.repeat(513) },
      error: 'Continuity field is too long: reconciled_by',
      pointer: '/reconciled_by',
    },
  ];

  it.each(faults)('is refused: $error at $pointer', ({ error, pointer, ...edit }) => {
    expect(refusalOf(edited(settlement, edit))).toEqual({ error, pointer });
  });

  it('tells the first of two faults, in the order in which it is read', () => {
    expect(refusalOf({})?.error).toBe('Continuity field is required: outcome');
    expect(refusalOf({ outcome: 'not_started' })?.error).toBe('Continuity field is required: evidence_refs');
    expect(refusalOf({ more: 1 })?.error).toBe('Continuity field is not supported: more');
  });

  it('documents what it is read by', () => {
    expect(SettlementBody).toMatchObject({
      $id: 'SettlementBody',
      title: 'SettlementBody',
      additionalProperties: false,
      required: ['outcome', 'evidence_refs', 'reconciled_by'],
      properties: {
        outcome: { enum: ['side_effect_committed', 'not_started'] },
        evidence_refs: { minItems: 1, maxItems: 1_000 },
        reconciled_by: { maxLength: 512 },
      },
    });
  });
});

function refusalOf(body: unknown): { error: string; pointer: string } | undefined {
  try {
    parseSettlement(body);
    return undefined;
  } catch (error) {
    if (error instanceof ContinuityFormatError) {
      return { error: error.message, pointer: error.faults[0].pointer };
    }
    throw error;
  }
}
