import { describe, expect, it } from 'vitest';

import { soleAction } from '../../../src/domain/actions.js';
import { authorizationRequests } from '../../../src/domain/authorization-request.js';
import { contextView } from '../../../src/domain/context-view.js';
import { decide } from '../../../src/domain/decide.js';
import { replay } from '../../../src/domain/replay.js';
import { rulesVersion } from '../../../src/domain/rules.js';
import { exampleEnvelope } from '../../../src/http/openapi/examples.js';
import { comparedFacts } from '../../support/decision-cases.js';

const ref = 'constraint:sealed';
const envelope = { ...exampleEnvelope, exact_constraint_refs: [ref, 'constraint:withdrawn'] };
const unchanged = comparedFacts({ situation: 'unchanged' });
const constraint = (name: string, constraint_status: 'active' | 'withdrawn') => ({
  ref: name,
  sha256: 'sha256:text',
  forbids_capability: null,
  constraint_status,
});

describe('the context view', () => {
  const facts = {
    ...unchanged,
    envelope: { ...unchanged.envelope, pending_obligations: ['sealed', 'done'] },
    current: {
      ...unchanged.current,
      constraints: [
        constraint('constraint:withdrawn', 'withdrawn'),
        constraint('constraint:joined', 'active'),
      ],
      obligations: [
        { obligation_id: 'done', obligation_status: 'discharged' as const },
        { obligation_id: 'joined', obligation_status: 'open' as const },
      ],
    },
  };
  const joined = { ref: 'constraint:joined', text: 'Never.', forbids_capability: 'x' };
  const event = { event_id: 'e', event_type: 't', sequence: 7 };
  const view = contextView({
    envelope,
    facts,
    constraints: [joined],
    uncovered_events: [event],
    uncovered_total: 1,
  });

  it('holds the sealed constraints and those that joined, and none that was withdrawn', () => {
    expect(view.constraints).toEqual([{ ref, text: null, forbids_capability: null }, joined]);
  });

  it('shows what is owed now, and what has been done since', () => {
    expect(view.pending_obligations).toEqual(['sealed', 'joined']);
    expect(view.discharged_obligations).toEqual(['done']);
  });

  it('names the events behind the summary, and tells the summary by its digest as untrusted', () => {
    expect(view.uncovered_events).toEqual([event]);
    expect(view.summary).toEqual({ trust: 'untrusted', sha256: envelope.summary_sha256 });
  });
});

it('the authorization request asks for the frozen action in the epoch that the go opened', () => {
  const { principal_id } = unchanged.envelope;
  const action = soleAction(unchanged.envelope);

  expect(authorizationRequests(unchanged, 3)).toMatchObject({
    authorization_request: {
      subject: { type: 'principal', id: principal_id },
      action: { name: action.capability_name },
      resource: { type: 'idempotency_key', id: action.idempotency_key },
      context: { session_epoch: 3, action_digest: action.action_digest, approval_id: action.approval_id },
    },
  });
});

describe('a replay', () => {
  const decision = decide(unchanged);

  it('says that the same facts decide the same, and by which rules', () => {
    expect(replay({ decision, facts: unchanged })).toEqual({
      status: decision.status,
      reason: decision.reason,
      same: true,
      rules_version: rulesVersion,
    });
  });

  it.each([
    { status: 'continuity_validation_failed' as const },
    { findings: [{ reason: 'budget_exhausted' as const }] },
  ])('is not the same where the decision was another: %o', (other) => {
    expect(replay({ decision: { ...decision, ...other }, facts: unchanged }).same).toBe(false);
  });
});
