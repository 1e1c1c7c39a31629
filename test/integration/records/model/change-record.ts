import fc from 'fast-check';

import { putRecord } from './put-record.js';
import { recordAt } from './record-paths.js';
import { recordKinds, type Body, type Kind, type Put } from './store.js';
import { command, future, past, tenantIn, tenantName, type ModelCommand } from './world.js';

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
