import fc from 'fast-check';

import { recordsOfTenant } from '../../../support/records.js';
import { put, recordKinds, type Body, type Kind, type Put } from './store.js';
import {
  command,
  defaults,
  defined,
  future,
  holdAnswer,
  mostly,
  past,
  recordAt,
  sessionId,
  tenantIn,
  tenantName,
  type ModelCommand,
} from './world.js';

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

/** Writes a record that is there once more, with one field changed. */
function changeRecord(
  tenantOfRecord: string,
  at: Pick<Put, 'kind' | 'path' | 'session'>,
  change: Body,
): ModelCommand {
  const bodyIn = (model: Parameters<ModelCommand['run']>[0]) =>
    tenantIn(model, tenantOfRecord).records.get(at.path)?.body;
  return command(
    `change ${tenantOfRecord} ${at.path} ${JSON.stringify(change)}`,
    async (model, real) => {
      await putRecord(tenantOfRecord, { ...at, body: { ...bodyIn(model), ...change } }).run(model, real);
    },
    (model) => bodyIn(model) !== undefined,
  );
}

/** Changes that each kind mostly allows. */
const changes: Readonly<Record<Kind, readonly Body[]>> = {
  policy: [{ policy_version: 'v1' }, { policy_version: 'v2' }],
  capability: [{ capability_version: 'v1' }, { capability_version: 'v2' }],
  principal: [
    { principal_status: 'active' },
    { principal_status: 'suspended' },
    { principal_status: 'removed' },
  ],
  session: [
    { session_status: 'cancelled' },
    { session_status: 'ended' },
    { principal_id: 'p1' },
    { authorization_mode: 'platform_owned' },
    { idempotency_key: 'k1' },
    { checkpoint_ref: 'c1' },
    { sandbox_snapshot_ref: 'n0' },
    { budget_remaining: undefined },
    { budget_remaining: 3 },
    { budget_remaining: 0 },
    { objective: 'Close it.' },
  ],
  obligation: [{ obligation_status: 'discharged', evidence_refs: ['e0'] }, { obligation_status: 'open' }],
  constraint: [
    { constraint_status: 'withdrawn' },
    { constraint_status: 'active' },
    { text: 'Never ask.' },
    { forbids_capability: 'create' },
    { forbids_capability: 'close' },
    { session_id: 's1' },
  ],
  approval: [
    { approval_status: 'pending' },
    { approval_status: 'approved' },
    { approval_status: 'revoked' },
    { approval_status: 'expired' },
    { expires_at: past },
    { expires_at: future },
  ],
  side_effect: [
    { side_effect_status: 'side_effect_unknown' },
    { side_effect_status: 'side_effect_committed' },
    { side_effect_status: 'not_started' },
    { approval_id: 'a2' },
  ],
};

export const recordChanges: fc.Arbitrary<ModelCommand> = fc
  // What the world does under the session's hands comes twice as often.
  .constantFrom(...recordKinds, 'side_effect' as const)
  .chain((kind) =>
    fc
      .tuple(tenantName, recordAt[kind], fc.constantFrom(...changes[kind]))
      .map(([tenant, at, change]) => changeRecord(tenant, { kind, ...at }, change)),
  );

/** The entity tag that is sent along: of the present revision, of another one, or of any. */
export type IfMatch = 'current' | 'another' | '*' | undefined;

/** Writes a record. */
export function putRecord(tenantName: string, write: Omit<Put, 'ifMatch'>, match?: IfMatch): ModelCommand {
  const { path, body, session_epoch } = write;
  const told = `put ${tenantName} ${path} ${JSON.stringify(body)} ${session_epoch ?? ''} ${match ?? ''}`;
  return command(told, async (model, real) => {
    const tenant = tenantIn(model, tenantName);
    const revision = tenant.records.get(path)?.revision ?? 1;
    const ifMatch = match === 'current' ? revision : match === 'another' ? revision + 1 : match;
    const expected = put(tenant, { ...write, body: defined(body), ifMatch });

    const answer = await recordsOfTenant(real.gate, real.prefix + tenantName).put(
      path,
      { ...body, session_epoch },
      ifMatch === undefined ? {} : { 'if-match': ifMatch === '*' ? '*' : `"${ifMatch}"` },
    );

    holdAnswer('put', answer, expected, real);
  });
}
