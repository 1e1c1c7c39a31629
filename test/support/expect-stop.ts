import { expect } from 'vitest';

import type { Answer } from './answer.js';
import type { TestApp } from './test-app.js';

/** Expects an answer to be a stop for these reasons in this order, its decision to be kept, and its event to be the last. */
export async function expectStop(
  gate: TestApp,
  answer: Answer,
  {
    phase,
    findings: reasons,
  }: { readonly phase: 'compaction' | 'rehydration'; readonly findings: readonly string[] },
): Promise<void> {
  const [reason] = reasons;
  const blocked = reason === 'unknown_side_effect';
  const status = blocked ? 'blocked_on_reconciliation' : 'continuity_validation_failed';
  const findings = reasons.map((found) => ({ reason: found }));
  expect(answer.status).toBe(blocked ? 409 : 422);
  expect(answer.contentType).toBe('application/json; charset=utf-8');
  expect(answer.body).toMatchObject({
    status,
    reason,
    findings: toldOf(reasons).map((told) => ({ reason: told })),
    authorized: false,
    requires_reauthorization: true,
  });

  const decision_id = answer.string('/decision_id');
  const session = { tenant_id: answer.string('/tenant_id'), session_id: answer.string('/session_id') };
  const recorded = await gate.get(`/decisions/${decision_id}`, { tenant_id: session.tenant_id });
  expect(recorded.body).toMatchObject({
    status,
    reason,
    findings,
    ...session,
    facts: { kind: phase === 'compaction' ? 'sealing' : 'compared' },
    replayed: { status, reason, same: true },
  });
  expect((await gate.storedEvents(session)).at(-1)).toMatchObject({
    event_id: answer.string('/trace_event/event_id'),
    event_type: 'continuity_validation_failed',
    envelope_id: answer.string('/envelope_id'),
    trace_id: answer.string('/trace_id'),
    decision_id,
    status,
    reason,
    payload: { phase, status, reason, findings },
  });
}

/** Behind a finding of who is asking, nothing is told; what is stored holds all of it. */
export function toldOf(reasons: readonly string[]): readonly string[] {
  const identity = ['tenant_mismatch', 'principal_mismatch', 'session_mismatch'];
  const last = reasons.findLastIndex((reason) => identity.includes(reason));
  return last === -1 ? reasons : reasons.slice(0, last + 1);
}

/** The session's epoch and who holds it; undefined while nothing is known of the session. */
export async function storedEpoch(
  gate: TestApp,
  { tenant_id, session_id }: { readonly tenant_id: string; readonly session_id: string },
): Promise<unknown> {
  const [head] = await gate.query(
    'select session_epoch::integer, held_by from session_heads where tenant_id = $1 and session_id = $2',
    [tenant_id, session_id],
  );
  return head;
}
