import fc from 'fast-check';

import { appendEvents, eventOf } from './append-events.js';
import { putRecord } from './put-record.js';
import type { Put } from './store.js';
import { command, defaults, future, sessionId, tenantIn, tenantName, type ModelCommand } from './world.js';

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
