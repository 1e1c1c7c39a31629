import { describe, expect, it } from 'vitest';

import { sha256Digest } from '../../../src/domain/digest.js';
import { envelopeDigest } from '../../../src/domain/envelope/sealed.js';
import { factsOfV1 } from '../../../src/domain/envelope/v1.js';
import { ControlStateFacts, EnvelopeFacts } from '../../../src/domain/facts.js';
import { parseInspectRequest } from '../../../src/domain/requests.js';
import { attestedStateFacts } from '../../../src/domain/to-facts.js';
import { asFacts } from '../../support/decision-cases.js';
import { edited, type Edit } from '../../support/edit-json.js';
import { validRequests } from '../../support/parse-requests.js';

const frozen = {
  envelope_sha256: 'sha256:envelope',
  lineage_sha256: 'lineage-142',
  constraint_digests: { 'constraint:1': 'sha256:text' },
};

describe('the facts of an envelope', () => {
  it('are all that is compared, with the objective as its digest', () => {
    const { continuity_envelope } = parsed({
      set: {
        '/continuity_envelope/exact_constraint_refs': ['constraint:1', 'constraint:2'],
        '/continuity_envelope/pending_obligations': ['obligation:1'],
      },
    });

    expect(asFacts(EnvelopeFacts, factsOfV1(continuity_envelope, frozen))).toEqual({
      schema_version: 'continuity-envelope/v1',
      envelope_id: 'ce-100',
      envelope_sha256: 'sha256:envelope',
      tenant_id: 'tenant-north',
      session_id: 'session-100',
      principal_id: 'user-7',
      source_trace_id: 'trace-100',
      authorization_mode: 'user_delegated',
      delegated_principal_id: 'user-7',
      delegated_scope: 'tickets:create',
      policy_version: 'policy-v4',
      actions: [
        {
          capability_name: 'create_ticket',
          capability_version: 'create-ticket-v3',
          approval_id: 'apr-100',
          action_digest: 'sha256:abababababababababababababababababababababababababababababababab',
          approval_expires_at: '2026-07-21T18:00:00Z',
          idempotency_key: 'intent-100',
          side_effect_status: 'not_started',
        },
      ],
      checkpoint_ref: 'checkpoint:100-6',
      sandbox_snapshot_ref: 'snapshot:s-1',
      budget_remaining: 7,
      objective_sha256: sha256Digest('Resolve the support request without creating a duplicate ticket.'),
      constraints: [
        { ref: 'constraint:1', frozen_sha256: 'sha256:text' },
        { ref: 'constraint:2', frozen_sha256: null },
      ],
      pending_obligations: ['obligation:1'],
      source_event_range: { first: 'event-0001', last: 'event-0142' },
      lineage_sha256: 'lineage-142',
      summary_sha256: 'sha256:4600e888c4923c54d129484c843725762e25f9a5aeaebf4b8621846b0af984d2',
    });
  });

  it('hold nothing where the envelope holds nothing', () => {
    const content = ['reset_reason', 'objective', 'exact_constraint_refs', 'pending_obligations'];
    const rest = ['evidence_refs', 'source_event_range', 'sandbox_snapshot_ref', 'budget_remaining'];
    const { continuity_envelope } = parsed({
      remove: [...content, ...rest].map((field) => `/continuity_envelope/${field}`),
    });

    expect(factsOfV1(continuity_envelope, { ...frozen, lineage_sha256: null })).toMatchObject({
      sandbox_snapshot_ref: null,
      budget_remaining: null,
      objective_sha256: null,
      constraints: [],
      pending_obligations: [],
      source_event_range: null,
      lineage_sha256: null,
    });
  });

  it('keep an empty budget apart from none', () => {
    const { continuity_envelope } = parsed({ set: { '/continuity_envelope/budget_remaining': 0 } });

    expect(factsOfV1(continuity_envelope, frozen).budget_remaining).toBe(0);
  });

  it('take no digest of a constraint from a prototype', () => {
    const refs = ['constructor', '__proto__', 'toString'];
    const { continuity_envelope } = parsed({ set: { '/continuity_envelope/exact_constraint_refs': refs } });

    expect(factsOfV1(continuity_envelope, frozen).constraints).toEqual(
      refs.map((ref) => ({ ref, frozen_sha256: null })),
    );
  });
});

describe('the digest of an envelope', () => {
  it('is another one for another value of any field', () => {
    const { continuity_envelope } = parsed({});
    const digest = envelopeDigest(continuity_envelope);

    for (const field of Object.keys(continuity_envelope)) {
      expect([field, envelopeDigest({ ...continuity_envelope, [field]: 'other' })]).not.toEqual([
        field,
        digest,
      ]);
    }
  });

  it('does not depend on the order of the fields, nor on white space around their values', () => {
    const { continuity_envelope } = parsed({});
    const padded = parsed({ set: { '/continuity_envelope/checkpoint_ref': ' checkpoint:100-6\n' } });
    const reversed = {
      ...continuity_envelope,
      ...Object.fromEntries(Object.entries(continuity_envelope).reverse()),
    };

    expect(envelopeDigest(padded.continuity_envelope)).toBe(envelopeDigest(continuity_envelope));
    expect(envelopeDigest(reversed)).toBe(envelopeDigest(continuity_envelope));
  });
});

describe('the facts of an attested state', () => {
  const least = {
    source: 'attested',
    tenant_id: 'tenant-north',
    session: {
      session_status: 'active',
      principal_id: 'user-7',
      authorization_mode: 'user_delegated',
      delegated_principal_id: 'user-7',
      delegated_scope: 'tickets:create',
      idempotency_key: 'intent-100',
      checkpoint_ref: 'checkpoint:100-6',
    },
    principal_status: null,
    policy_version: 'policy-v4',
    actions: [
      {
        capability_version: 'create-ticket-v3',
        approval: { approval_status: 'approved' },
        side_effect: {
          capability_name: 'create_ticket',
          approval_id: 'apr-100',
          action_digest: 'sha256:abababababababababababababababababababababababababababababababab',
          side_effect_status: 'not_started',
          reconciled: false,
        },
      },
    ],
    other_unknown_side_effects: [],
  };
  const optional = [
    'sandbox_snapshot_ref',
    'budget_remaining',
    'exact_constraint_refs',
    'pending_obligations',
  ];

  it('lack what the source does not keep, so that it is not compared', () => {
    const { current_state } = parsed({ remove: optional.map((field) => `/current_state/${field}`) });

    expect(asFacts(ControlStateFacts, attestedStateFacts(current_state, null))).toStrictEqual(least);
  });

  it('hold what the source does keep: constraints by reference alone, and open obligations', () => {
    const { current_state } = parsed({});

    expect(asFacts(ControlStateFacts, attestedStateFacts(current_state, null))).toStrictEqual({
      ...least,
      session: { ...least.session, sandbox_snapshot_ref: 'snapshot:s-1', budget_remaining: 7 },
      constraints: [{ ref: 'constraint:1', forbids_capability: null, constraint_status: 'active' }],
      obligations: [{ obligation_id: 'obligation:1', obligation_status: 'open' }],
    });
  });

  it('keep an empty list and an empty budget apart from none', () => {
    const { current_state } = parsed({
      set: {
        '/current_state/budget_remaining': 0,
        '/current_state/exact_constraint_refs': [],
        '/current_state/pending_obligations': [],
      },
    });

    expect(attestedStateFacts(current_state, null)).toMatchObject({
      session: { budget_remaining: 0 },
      constraints: [],
      obligations: [],
    });
  });

  it("hold beside it what the tenant's own records say", () => {
    const { current_state } = parsed({ remove: optional.map((field) => `/current_state/${field}`) });
    const revisions = { policy: 3, principal: 2 };
    const recorded = {
      policy_version: 'policy-v5',
      principal_status: 'suspended',
      delegated_principal_status: 'removed',
      revisions,
      capabilities: [{ capability_version: 'create-ticket-v4', revision: 5 }],
    } as const;
    const [action] = least.actions;

    expect(attestedStateFacts(current_state, recorded)).toEqual({
      ...least,
      principal_status: 'suspended',
      delegated_principal_status: 'removed',
      recorded_policy_version: 'policy-v5',
      revisions,
      actions: [{ ...action, recorded_capability_version: 'create-ticket-v4', capability_revision: 5 }],
    });
    expect(attestedStateFacts(current_state, { ...recorded, capabilities: [null] }).actions).toEqual([
      { ...action, recorded_capability_version: null, capability_revision: null },
    ]);
  });
});

function parsed(change: Edit) {
  return parseInspectRequest(edited(validRequests.inspect, change));
}
