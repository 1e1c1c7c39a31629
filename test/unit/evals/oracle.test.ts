import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { judge, type Asking, type Records, type Told } from '../../../src/evals/oracle.js';

const told: Told = {
  tenant_id: 'home',
  session_id: 's-1',
  principal_id: 'user-1',
  authorization_mode: 'user_delegated',
  delegated_principal_id: 'user-1',
  delegated_scope: 'tickets:create',
  policy_version: 'policy-1',
  capability_name: 'create_ticket',
  capability_version: 'v1',
  approval_id: 'apr-1',
  action_digest: 'sha256:a',
  idempotency_key: 'k-1',
  side_effect_status: 'not_started',
  checkpoint_ref: 'cp-1',
  sandbox_snapshot_ref: 'snap-1',
  budget_remaining: 3,
  objective: 'One ticket.',
  constraints: [{ ref: 'c-1', text: 'Ask first.' }],
  events: ['e-1', 'e-2'],
  taken_over: 0,
};

const asking: Asking = { tenant_id: 'home', session_id: 's-1', principal_id: 'user-1' };

const effect = {
  idempotency_key: 'k-1',
  session_id: 's-1',
  capability_name: 'create_ticket',
  approval_id: 'apr-1',
  action_digest: 'sha256:a',
  side_effect_status: 'not_started',
};
const session = {
  session_status: 'active',
  principal_id: 'user-1',
  authorization_mode: 'user_delegated',
  delegated_principal_id: 'user-1',
  delegated_scope: 'tickets:create',
  idempotency_key: 'k-1',
  checkpoint_ref: 'cp-1',
  sandbox_snapshot_ref: 'snap-1',
  budget_remaining: 3,
  objective: 'One ticket.',
};
const approval = {
  session_id: 's-1',
  capability_name: 'create_ticket',
  action_digest: 'sha256:a',
  approval_status: 'approved',
  expires_at: '2030-01-01T00:00:00Z',
};
const yes = (decided_by: string) => ({ decided_by, decision: 'approved' });
const constraint = {
  constraint_ref: 'c-1',
  session_id: 's-1',
  text: 'Ask first.',
  constraint_status: 'active',
};

const records: Records = {
  now: Date.parse('2029-12-31T23:59:59Z'),
  policy: { policy_version: 'policy-1' },
  capability: { capability_version: 'v1' },
  principal: null,
  delegator: null,
  session,
  approval,
  side_effect: effect,
  side_effects: [effect],
  constraints: [constraint],
  events: ['e-1', 'e-2'],
};

describe('the oracle', () => {
  it('says go where nothing has changed', () => {
    expect(judge(told, asking, records)).toEqual({ verdict: 'go', because: [] });
  });

  it.each<[string, Partial<Records>, Partial<Told>?, Partial<Asking>?]>([
    ['go', { events: ['e-1', 'e-2', 'e-3'] }],
    ['go', { principal: { principal_status: 'active' } }],
    ['go', { constraints: [{ ...constraint, constraint_status: 'withdrawn' }] }],
    [
      'go',
      { side_effect: { ...effect, side_effect_status: 'side_effect_committed' } },
      { side_effect_status: 'side_effect_unknown' },
    ],
    ['go', {}, { taken_over: 2 }, { session_epoch: 2 }],
    ['stop', {}, {}, { tenant_id: 'other' }],
    ['stop', {}, {}, { session_id: 's-2' }],
    ['stop', {}, {}, { principal_id: 'user-2' }],
    ['stop', {}, { taken_over: 1 }, { session_epoch: 0 }],
    ['stop', { policy: null }],
    ['stop', { approval: null }],
    ['stop', { side_effect: null }],
    ['stop', { policy: { policy_version: 'policy-2' } }],
    ['stop', { capability: { capability_version: 'v2' } }],
    ['stop', { principal: { principal_status: 'suspended' } }],
    ['stop', { delegator: { principal_status: 'suspended' } }],
    ...Object.keys(session).map((field): [string, Partial<Records>] => [
      'stop',
      { session: { ...session, [field]: field === 'budget_remaining' ? 0 : 'another' } },
    ]),
    ...Object.keys(approval).map((field): [string, Partial<Records>] => [
      'stop',
      { approval: { ...approval, [field]: field === 'expires_at' ? '2029-12-31T23:59:59Z' : 'another' } },
    ]),
    ['go', { approval: { ...approval, requested_by: 'user-1', decided_by: 'approver-1' } }],
    ['stop', { approval: { ...approval, requested_by: 'user-1', decided_by: 'user-1' } }],
    ['go', { approval: { ...approval, requested_by: 'user-1', decided_by: 'user-1', self_approval: true } }],
    ['stop', { approval: { ...approval, eligible_approvers: ['approver-2'], decided_by: 'approver-1' } }],
    ['stop', { approval: { ...approval, required_approvals: 2, decided_by: 'approver-1' } }],
    ['stop', { approval: { ...approval, required_approvals: 2, decisions: [yes('a'), yes('a')] } }],
    ['go', { approval: { ...approval, required_approvals: 2, decisions: [yes('a'), yes('b')] } }],
    ['stop', { approval: { ...approval, decisions: [yes('a'), { decided_by: 'b', decision: 'rejected' }] } }],
    ['stop', { side_effect: { ...effect, capability_name: 'another' } }],
    ['stop', { side_effect: { ...effect, approval_id: 'another' } }],
    ['stop', { side_effect: { ...effect, action_digest: 'another' } }],
    ['stop', { side_effect: { ...effect, side_effect_status: 'side_effect_committed' } }],
    ['stop', { events: ['e-2', 'e-1'] }],
    ['stop', { constraints: [] }],
    ['stop', { constraints: [{ ...constraint, text: 'Ask if you like.' }] }],
    [
      'stop',
      {
        constraints: [
          constraint,
          { ...constraint, constraint_ref: 'c-2', forbids_capability: 'create_ticket' },
        ],
      },
    ],
    ['blocked', { side_effects: [{ ...effect, side_effect_status: 'side_effect_unknown' }] }],
    [
      'blocked',
      {
        side_effects: [{ ...effect, side_effect_status: 'side_effect_unknown' }],
        policy: { policy_version: 'policy-2' },
      },
    ],
    ['go', { side_effects: [{ ...effect, session_id: 's-2', side_effect_status: 'side_effect_unknown' }] }],
    [
      'stop',
      { side_effects: [{ ...effect, side_effect_status: 'side_effect_unknown' }] },
      {},
      { principal_id: 'user-2' },
    ],
  ])('says %s for %j %j %j', (verdict, changed, lived = {}, said = {}) => {
    expect(judge({ ...told, ...lived }, { ...asking, ...said }, { ...records, ...changed }).verdict).toBe(
      verdict,
    );
  });

  it('imports nothing: neither the rules that it is a measure for nor anything that knows them', async () => {
    const source = await readFile(new URL('../../../src/evals/oracle.ts', import.meta.url), 'utf8');
    expect(source).not.toMatch(/\bimport\b.*\bfrom\b|\bimport\(|\brequire\(/);
    expect(source.split('\n').length).toBeLessThan(200);
  });
});
