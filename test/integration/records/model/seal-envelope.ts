import fc from 'fast-check';

import { list, seal, text } from './decisions.js';
import { fittingEnvelope } from './fitting-envelope.js';
import { holdDecision } from './hold-answer.js';
import { sessionOf, type Body } from './store.js';
import {
  command,
  defined,
  eventId,
  past,
  presentedEpoch,
  sessionId,
  someOf,
  summary,
  tenantIn,
  tenantName,
  type EpochChange,
  type ModelCommand,
} from './world.js';

/** Seals what agrees with the records, but for what is changed. */
function sealEnvelope(name: string, session: string, id: string, changes: SealChanges): ModelCommand {
  return command(`seal ${name} ${session} ${id} ${JSON.stringify(changes)}`, async (model, real) => {
    const tenant = tenantIn(model, name);
    const { presented = summary, epoch = 'current', released = [], drop, again, set } = changes;
    const before = again ? tenant.envelopes.get(id) : undefined;
    const fitting = before?.envelope ?? fittingEnvelope(tenant, session, id);
    const envelope = defined({ ...fitting, ...(drop && { [drop]: list(fitting, drop).slice(1) }), ...set });
    const session_epoch = presentedEpoch(epoch, sessionOf(tenant, text(envelope, 'session_id')).epoch);
    const expected = seal(tenant, { envelope, summaryFits: presented === summary, session_epoch, released });

    const answer = await real.gate.seal({
      continuity_envelope: { ...envelope, tenant_id: real.prefix + name },
      summary: presented,
      session_epoch,
      ...(released.length > 0 && { released: released.map((ref) => ({ ref, evidence_refs: ['e0'] })) }),
    });

    holdDecision('seal', answer, expected, real);
  });
}

interface SealChanges {
  readonly presented?: string;
  readonly epoch?: EpochChange;
  readonly released?: readonly string[];
  /** A list of which the first entry is left out. */
  readonly drop?: 'exact_constraint_refs' | 'pending_obligations';
  /** Sends what was sealed under the id before. */
  readonly again?: boolean;
  /** Fields of the envelope. */
  readonly set?: Body;
}

const fields = fc.oneof(
  fc.constantFrom<Body[]>(
    { principal_id: 'p1' },
    { policy_version: 'v2' },
    { capability_version: 'v2' },
    { action_digest: 'd1' },
    { approval_id: 'a1' },
    { approval_id: 'a2' },
    { idempotency_key: 'k1' },
    { capability_name: 'close' },
    { side_effect_status: 'not_started' },
    { side_effect_status: 'side_effect_unknown' },
    { side_effect_status: 'side_effect_committed' },
    { approval_expires_at: past },
    { checkpoint_ref: 'c1' },
    { objective: 'Close it.' },
    { sandbox_snapshot_ref: 'n0' },
    { budget_remaining: 8 },
    { exact_constraint_refs: ['r0', 'unrecorded'] },
    { pending_obligations: ['o0', 'unrecorded'] },
  ),
  fc.tuple(eventId, eventId).map(([first, last]) => ({ source_event_range: { first, last } })),
);

const changes = someOf<SealChanges>([
  fc.constant({ presented: 'Another one.' }),
  fc.constantFrom({ epoch: 'none' }, { epoch: 'stale' }),
  fc.constantFrom({ released: ['r0', 'o0'] }, { released: ['o1'] }),
  fc.constantFrom({ drop: 'exact_constraint_refs' }, { drop: 'pending_obligations' }),
  fc.constant({ again: true }),
  ...Array.from({ length: 4 }, () => fields.map((set) => ({ set }))),
]);

export const sealings: fc.Arbitrary<ModelCommand> = fc
  .tuple(tenantName, sessionId, fc.nat(15), changes)
  .map(([tenant, session, number, change]) => sealEnvelope(tenant, session, `e${number}`, change));
