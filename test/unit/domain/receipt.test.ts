import { describe, expect, it } from 'vitest';

import { receiptClaims } from '../../../src/domain/receipt.js';
import { comparedFacts } from '../../support/decision-cases.js';

const go = { decision_id: 'decision-1', session_epoch: 4 };
const decidedAt = Date.parse('2026-07-21T17:00:00Z') / 1_000;

describe("a go's receipt", () => {
  it('says that continuity was checked, of what, and that nothing is authorized', () => {
    expect(receiptClaims(go, comparedFacts({ situation: 'unchanged' }), 60)).toEqual({
      jti: 'decision-1',
      iat: decidedAt,
      exp: decidedAt + 60,
      tenant_id: 'tenant-acme',
      session_id: 'session-9',
      envelope_sha256: 'sha256:envelope',
      session_epoch: 4,
      status: 'reauthorization_required',
      versions: {
        schema_version: 'continuity-envelope/v1',
        policy_version: 'policy-v4',
        capability_name: 'refund_payment',
        capability_version: 'refund-payment-v3',
      },
      actions: [
        {
          idempotency_key: 'refund-17',
          capability_name: 'refund_payment',
          capability_version: 'refund-payment-v3',
          action_digest: 'sha256:action',
          approval_id: 'apr-17',
        },
      ],
      control_state_source: 'records',
      authorized: false,
    });
  });

  it('says where the state came from', () => {
    const attested = comparedFacts({ situation: 'attested', base: 'attested' });

    expect(receiptClaims(go, attested, 60).control_state_source).toBe('attested');
  });

  it.each([
    {
      situation: 'the sealed expiry',
      set: { '/envelope/actions/0/approval_expires_at': '2026-07-21T17:00:10.9Z' },
    },
    {
      situation: 'the recorded expiry',
      set: { '/current/actions/0/approval/expires_at': '2026-07-21T17:00:10.9Z' },
    },
  ])('ends with the approval, at $situation, rounded down', (sooner) => {
    expect(receiptClaims(go, comparedFacts(sooner), 60).exp).toBe(decidedAt + 10);
  });

  it.each([
    { situation: 'the source keeps none of its own', base: 'attested', set: {} },
    { situation: 'there is no record of the approval', set: { '/current/actions/0/approval': null } },
  ])('ends at the sealed expiry where $situation', ({ set, ...change }) => {
    const sealed = { '/envelope/actions/0/approval_expires_at': '2026-07-21T19:00:05+02:00' };
    const facts = comparedFacts({ ...change, set: { ...set, ...sealed } });

    expect(receiptClaims(go, facts, 60).exp).toBe(decidedAt + 5);
  });

  it('begins at the moment of the facts, rounded down', () => {
    const facts = comparedFacts({ situation: 'late', set: { '/decided_at': '2026-07-21T17:00:00.999999Z' } });

    expect(receiptClaims(go, facts, 60)).toMatchObject({ iat: decidedAt, exp: decidedAt + 60 });
  });

  it('is not issued over a time that cannot be read', () => {
    const facts = comparedFacts({ situation: 'unreadable', set: { '/decided_at': 'now' } });

    expect(() => receiptClaims(go, facts, 60)).toThrow('Facts hold readable times only');
  });
});
