import { describe, expect, it } from 'vitest';

import { decide } from '../../../src/domain/decide.js';
import type { EnvelopeFacts } from '../../../src/domain/facts.js';
import {
  boundaryContent,
  recordContent,
  reconciliationContent,
  refusalContent,
  rehydrationContent,
  stopContent,
  versionsOf,
} from '../../../src/domain/trace.js';
import { resetReasons } from '../../../src/domain/vocabulary.js';
import { comparedFacts, sealingFacts } from '../../support/decision-cases.js';

const unchanged = { situation: 'unchanged' };
const { envelope, presented } = comparedFacts(unchanged);
const go = decide(comparedFacts(unchanged));
const record_revisions = { policy: 3, capability: 1, principal: null };

describe("an accepted envelope's event", () => {
  const released = [{ ref: 'constraint:old', evidence_refs: ['trace:9'] }];

  it('says what was sealed, over which events, why, and what was released', () => {
    expect(
      boundaryContent(envelope, { reset_reason: 'context_compaction', session_epoch: 3, released }),
    ).toEqual({
      event_type: 'context_compaction',
      payload: {
        envelope_id: 'ce-7',
        envelope_sha256: 'sha256:envelope',
        source_event_range: { first: 'event-1', last: 'event-142' },
        lineage_sha256: 'lineage-142',
        summary_sha256: 'sha256:summary',
        trigger: 'context_compaction',
        preserved_field_classes: [
          'identity',
          'contract_versions',
          'approval_binding',
          'side_effect_state',
          'execution_boundary',
          'constraints_and_obligations',
          'provenance',
        ],
        released,
        session_epoch: 3,
      },
    });
  });

  it.each(resetReasons.filter((reason) => reason !== 'context_compaction'))(
    'is a reset boundary after %s',
    (reset_reason) => {
      const { event_type, payload } = boundaryContent(envelope, { reset_reason, session_epoch: 0, released });

      expect(event_type).toBe('reset_boundary');
      expect(payload['trigger']).toBe(reset_reason);
    },
  );
});

describe("a rehydration's event", () => {
  it('says where the run resumes, under which versions, and that nothing is authorized', () => {
    expect(
      rehydrationContent(envelope, go, { boundary_event_id: 'event-id', session_epoch: 4, record_revisions }),
    ).toEqual({
      event_type: 'context_rehydration',
      payload: {
        boundary_event_id: 'event-id',
        checkpoint_ref: 'checkpoint:6',
        versions_reloaded: {
          schema_version: 'continuity-envelope/v1',
          policy_version: 'policy-v4',
          capability_name: 'refund_payment',
          capability_version: 'refund-payment-v3',
        },
        validation_result: 'continuity_validated',
        authorized: false,
        requires_reauthorization: true,
        session_epoch: 4,
        record_revisions: { policy: 3, capability: 1, principal: null },
      },
    });
  });
});

describe("a stop's event", () => {
  it('says at which phase, why, and what the caller claimed to be', () => {
    const set = {
      '/current/actions/0/side_effect/side_effect_status': 'side_effect_unknown',
      '/current/actions/0/approval/approval_status': 'revoked',
    };
    const stop = decide(comparedFacts({ situation: 'in doubt and revoked', set }));

    expect(
      stopContent(stop, {
        phase: 'rehydration',
        boundary_event_id: 'event-id',
        claimed: presented,
        record_revisions,
      }),
    ).toEqual({
      event_type: 'continuity_validation_failed',
      payload: {
        phase: 'rehydration',
        status: 'blocked_on_reconciliation',
        reason: 'unknown_side_effect',
        findings: [{ reason: 'unknown_side_effect' }, { reason: 'approval_revoked' }],
        boundary_event_id: 'event-id',
        claimed: { envelope_id: 'ce-7', session_id: 'session-9', principal_id: 'user-42' },
        record_revisions: { policy: 3, capability: 1, principal: null },
      },
    });
  });

  it('names the phase of a sealing', () => {
    const stop = decide(sealingFacts({ situation: 'gap', set: { '/current/lineage/first_sequence': 102 } }));

    expect(
      stopContent(stop, {
        phase: 'compaction',
        boundary_event_id: null,
        claimed: presented,
      }).payload,
    ).toMatchObject({
      phase: 'compaction',
      reason: 'event_lineage_mismatch',
      boundary_event_id: null,
      record_revisions: null,
    });
  });
});

describe("a record's event", () => {
  it('says which record was written, and to which revision', () => {
    expect(recordContent({ kind: 'policy', id: 'policy', revision: 3 })).toEqual({
      event_type: 'control_record_written',
      payload: { kind: 'policy', id: 'policy', revision: 3 },
    });
  });

  it('says how an unknown effect was settled, on what evidence, and by whom', () => {
    const settled = {
      idempotency_key: 'refund-17',
      outcome: 'side_effect_committed' as const,
      evidence_refs: ['bank:4711'],
      reconciled_by: 'sre-1',
      revision: 2,
    };

    expect(reconciliationContent(settled)).toEqual({
      event_type: 'side_effect_reconciled',
      payload: settled,
    });
  });
});

describe("a refused caller's event", () => {
  it('says at which route, and why', () => {
    expect(refusalContent({ reason: 'forbidden', route: 'POST /rehydrate' })).toEqual({
      event_type: 'continuity_validation_failed',
      payload: {
        phase: 'access',
        status: 'continuity_validation_failed',
        reason: 'forbidden',
        findings: [{ reason: 'forbidden' }],
        route: 'POST /rehydrate',
      },
    });
  });
});

it('no event repeats what a person may have written: a scope, or the digest of an objective', () => {
  const canaries = { delegated_scope: 'canary-scope', objective_sha256: 'canary-objective' };
  const written: EnvelopeFacts = { ...envelope, ...canaries };
  const contents = [
    boundaryContent(written, { reset_reason: 'role_handoff', session_epoch: 0, released: [] }),
    rehydrationContent(written, go, { boundary_event_id: null, session_epoch: 1, record_revisions }),
    stopContent(go, {
      phase: 'rehydration',
      boundary_event_id: null,
      claimed: { ...presented, ...canaries },
    }),
  ];

  expect(JSON.stringify(contents)).not.toContain('canary');
});

it("a run is held to the schema's, the policy's and the capability's version", () => {
  expect(versionsOf(envelope)).toEqual({
    schema_version: 'continuity-envelope/v1',
    policy_version: 'policy-v4',
    capability_name: 'refund_payment',
    capability_version: 'refund-payment-v3',
  });
});
