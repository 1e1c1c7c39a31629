import fc from 'fast-check';

import { recordsOfTenant } from '../../../support/records.js';
import { resumptions, sealings } from './decision-commands.js';
import { isUnknown } from './decisions.js';
import { putRecord, recordChanges, recordWrites } from './record-commands.js';
import { append, recordsOf, settle, type Body, type Put } from './store.js';
import {
  command,
  defaults,
  eventId,
  future,
  holdAnswer,
  mostly,
  sessionId,
  tenantIn,
  tenantName,
  type ModelCommand,
} from './world.js';

/** Writes whatever a session without a record needs to be sealed and resumed. */
function prepareSession(tenant: string, session: string): ModelCommand {
  return command(
    `prepare ${tenant} ${session}`,
    async (model, real) => {
      for (const write of recordsFor(session)) await putRecord(tenant, write).run(model, real);
      await appendEvents(
        tenant,
        session,
        ['v0', 'v1', 'v2'].map((id) => eventOf(id)),
      ).run(model, real);
    },
    (model) => !tenantIn(model, tenant).records.has(`sessions/${session}`),
  );
}

function recordsFor(session: string): Put[] {
  const number = session.slice(1);
  const action = { session_id: session, capability_name: 'create', action_digest: 'd0' };
  return [
    { kind: 'policy', path: 'policy', body: { policy_version: 'v1' } },
    { kind: 'capability', path: 'capabilities/create', body: { capability_version: 'v1' } },
    {
      kind: 'session',
      path: `sessions/${session}`,
      session,
      body: { ...defaults, session_status: 'active', idempotency_key: `k${number}`, budget_remaining: 7 },
    },
    {
      kind: 'approval',
      path: `approvals/a${number}`,
      body: { ...action, approval_status: 'approved', expires_at: future },
    },
    {
      kind: 'side_effect',
      path: `side-effects/k${number}`,
      body: { ...action, approval_id: `a${number}`, side_effect_status: 'not_started' },
    },
    {
      kind: 'constraint',
      path: `constraints/r${number}`,
      body: { session_id: session, text: 'Ask first.', constraint_status: 'active' },
    },
    {
      kind: 'obligation',
      path: `sessions/${session}/obligations/o0`,
      session,
      body: { obligation_status: 'open' },
    },
  ];
}

export const preparations: fc.Arbitrary<ModelCommand> = fc
  .tuple(tenantName, sessionId)
  .map(([tenant, session]) => prepareSession(tenant, session));

/** Appends a batch to a session's log. */
export function appendEvents(tenant: string, session: string, events: readonly Body[]): ModelCommand {
  const told = events.map((event) => Object.values(event).join('/')).join();
  return command(`append ${tenant} ${session} ${told}`, async (model, real) => {
    const expected = append(tenantIn(model, tenant), session, events);

    const records = recordsOfTenant(real.gate, real.prefix + tenant);
    const answer = await records.post(`sessions/${session}/events`, { events });

    holdAnswer('append', answer, expected, real);
  });
}

export function eventOf(event_id: string, content_sha256 = 'sha256:0'): Body {
  return { event_id, event_type: 'call', content_sha256 };
}

const event = fc.tuple(eventId, mostly('sha256:0', 'sha256:1')).map(([id, content]) => eventOf(id, content));

export const appendedBatches: fc.Arbitrary<ModelCommand> = fc
  .tuple(tenantName, sessionId, fc.array(event, { minLength: 1, maxLength: 4 }))
  .map(([tenant, session, events]) => appendEvents(tenant, session, events));

/** Settles an unknown effect if there is one, else the one of the key. */
function settleEffect(name: string, otherKey: string, settlement: Body): ModelCommand {
  return command(`settle ${name} ${otherKey} ${JSON.stringify(settlement)}`, async (model, real) => {
    const tenant = tenantIn(model, name);
    const [unknown] = [...recordsOf(tenant, 'side-effects/')].filter(([, effect]) => isUnknown(effect));
    const key = unknown?.[0] ?? otherKey;
    const expected = settle(tenant, key, settlement);

    const records = recordsOfTenant(real.gate, real.prefix + name);
    const answer = await records.post(`side-effects/${key}/reconciliation`, settlement);

    holdAnswer('settle', answer, expected, real);
  });
}

export const settlements: fc.Arbitrary<ModelCommand> = fc
  .tuple(
    tenantName,
    mostly('k0', 'k1', 'k2'),
    fc.record({
      outcome: fc.constantFrom('side_effect_committed', 'not_started'),
      evidence_refs: mostly(['e0'], ['e0', 'e1']),
      reconciled_by: mostly('me', 'you'),
    }),
  )
  .map(([tenant, key, settlement]) => settleEffect(tenant, key, settlement));

/** How often each call is made, beside the others. */
const weights: [calls: fc.Arbitrary<ModelCommand>, weight: number][] = [
  [preparations, 5],
  [recordWrites, 3],
  [recordChanges, 4],
  [appendedBatches, 1],
  [settlements, 1],
  [sealings, 6],
  [resumptions, 8],
];

/** Any call of the API, on few enough ids that calls meet. */
export const commands = weights.flatMap(([calls, weight]) => Array.from({ length: weight }, () => calls));
