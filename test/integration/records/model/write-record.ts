import fc from 'fast-check';

import { putRecord, type IfMatch } from './put-record.js';
import { recordAt } from './record-paths.js';
import { recordKinds, type Body, type Kind } from './store.js';
import { defaults, future, mostly, past, sessionId, tenantName, type ModelCommand } from './world.js';

const capabilityName = mostly('create', 'close');
const digest = mostly('d0', 'd1');

const bodies: Readonly<Record<Kind, fc.Arbitrary<Body>>> = {
  policy: fc.record({ policy_version: mostly('v1', 'v2') }),
  capability: fc.record({ capability_version: mostly('v1', 'v2') }),
  principal: fc.record({ principal_status: mostly('active', 'suspended', 'removed') }),
  session: fc
    .record({
      session_status: mostly('active', 'active', 'active', 'cancelled', 'ended'),
      principal_id: mostly('p0', 'p1'),
      authorization_mode: mostly('human_approved', 'platform_owned'),
      idempotency_key: mostly('k0', 'k1'),
      checkpoint_ref: mostly('c0', 'c1'),
      sandbox_snapshot_ref: mostly(undefined, 'n0'),
      budget_remaining: mostly(7, 0, 3, undefined),
      objective: mostly(undefined, 'Resolve it.', 'Close it.'),
    })
    .map((body) => ({ ...defaults, ...body })),
  obligation: mostly<Body>(
    { obligation_status: 'open' },
    { obligation_status: 'discharged', evidence_refs: ['e0'] },
    { obligation_status: 'discharged', evidence_refs: ['e0', 'e1'] },
  ),
  constraint: fc.record({
    session_id: sessionId,
    text: mostly('Ask first.', 'Never ask.'),
    forbids_capability: mostly(undefined, 'close', 'create'),
    constraint_status: mostly('active', 'withdrawn'),
  }),
  approval: fc.record({
    session_id: sessionId,
    capability_name: capabilityName,
    action_digest: digest,
    approval_status: mostly('approved', 'pending', 'approved', 'rejected', 'revoked', 'expired'),
    expires_at: mostly(future, past, '2998-01-01T00:00:00.000000Z'),
  }),
  side_effect: fc.record({
    session_id: sessionId,
    capability_name: capabilityName,
    approval_id: mostly('a0', 'a1', 'a2'),
    action_digest: digest,
    side_effect_status: mostly('not_started', 'side_effect_unknown', 'side_effect_committed'),
  }),
};

const epoch = mostly(undefined, undefined, undefined, 0, 1, 2);
const ifMatch = mostly<IfMatch>(undefined, undefined, undefined, undefined, 'current', 'another', '*');

/** Any write of any record. */
export const recordWrites: fc.Arbitrary<ModelCommand> = fc
  .constantFrom(...recordKinds)
  .chain((kind) =>
    fc
      .tuple(tenantName, recordAt[kind], bodies[kind], epoch, ifMatch)
      .map(([tenant, at, body, session_epoch, match]) =>
        putRecord(tenant, { kind, ...at, body, ...(knowsEpoch(kind) && { session_epoch }) }, match),
      ),
  );

function knowsEpoch(kind: Kind): boolean {
  return kind === 'session' || kind === 'side_effect';
}
