import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storedEpoch } from '../../support/expect-stop.js';
import { digestOf, requestsOf, summary } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const uuid: unknown = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/,
);
const moment: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const compactJws: unknown = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/);

let gate: TestApp;

beforeAll(async () => {
  gate = await createTestApp();
});

afterAll(() => gate.close());

describe('200', () => {
  it('gives the next epoch and all that the context may be rebuilt from, and authorizes nothing', async () => {
    const run = requestsOf('resumed');
    await gate.seal(run.sealRequest());
    const envelope = run.envelope();

    const answer = await gate.rehydrate(run.rehydrateRequest());

    expect(answer.status).toBe(200);
    expect(answer.contentType).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual({
      status: 'reauthorization_required',
      reason: 'continuity_validated',
      findings: [],
      authorized: false,
      requires_reauthorization: true,
      decision_id: uuid,
      envelope_id: run.envelope_id,
      session_id: run.session_id,
      tenant_id: run.tenant_id,
      trace_id: 'resumed-trace-2',
      decided_at: moment,
      control_state_source: 'attested',
      trace_event: { event_id: uuid, event_type: 'context_rehydration' },
      source_trace_id: 'resumed-trace-1',
      checkpoint_ref: 'resumed-checkpoint',
      versions: {
        schema_version: 'continuity-envelope/v1',
        policy_version: 'policy-v4',
        capability_name: 'create_ticket',
        capability_version: 'create-ticket-v3',
      },
      idempotency_key: run.idempotency_key,
      side_effect_status: 'not_started',
      pending_obligations: [run.obligation_id],
      session_epoch: 1,
      held_by: 'resumed-runtime',
      receipt: compactJws,
      context_view: {
        objective: envelope.objective,
        constraints: [{ ref: run.constraint_ref, text: null, forbids_capability: null }],
        pending_obligations: [run.obligation_id],
        discharged_obligations: [],
        checkpoint_ref: 'resumed-checkpoint',
        sandbox_snapshot_ref: 'resumed-snapshot',
        budget_remaining: 7,
        source_event_range: envelope.source_event_range,
        uncovered_events: [],
        uncovered_total: 0,
        summary: { trust: 'untrusted', sha256: digestOf(summary) },
      },
      authorization_request: {
        subject: { type: 'principal', id: run.principal_id },
        action: { name: 'create_ticket' },
        resource: { type: 'idempotency_key', id: run.idempotency_key },
        context: {
          tenant_id: run.tenant_id,
          session_id: run.session_id,
          session_epoch: 1,
          action_digest: 'sha256:approved-action',
          approval_id: 'resumed-approval',
          authorization_mode: 'user_delegated',
          delegated_principal_id: run.principal_id,
          delegated_scope: 'tickets:create',
          policy_version: 'policy-v4',
          capability_version: 'create-ticket-v3',
        },
      },
    });
  });

  it('moves the epoch on, keeps the decision with its facts, and links its event to that of the boundary', async () => {
    const run = requestsOf('kept');
    const sealed = await gate.seal(run.sealRequest());

    const answer = await gate.rehydrate(run.rehydrateRequest());

    expect(await storedEpoch(gate, run)).toEqual({ session_epoch: 1, held_by: 'kept-runtime' });
    const recorded = await gate.get(`/decisions/${answer.string('/decision_id')}`, {
      tenant_id: run.tenant_id,
    });
    expect(recorded.body).toMatchObject({
      status: 'reauthorization_required',
      decided_at: answer.string('/decided_at'),
      session_epoch: 1,
      facts: { kind: 'compared', current: { source: 'attested' } },
      replayed: { status: 'reauthorization_required', reason: 'continuity_validated', same: true },
    });
    expect((await gate.storedEvents(run)).at(-1)).toMatchObject({
      event_id: answer.string('/trace_event/event_id'),
      event_type: 'context_rehydration',
      principal_id: run.principal_id,
      actor: 'open',
      trace_id: 'kept-trace-2',
      envelope_id: run.envelope_id,
      decision_id: answer.string('/decision_id'),
      status: 'reauthorization_required',
      reason: 'continuity_validated',
      sequence: 2,
      payload: {
        boundary_event_id: sealed.string('/trace_event/event_id'),
        checkpoint_ref: 'kept-checkpoint',
        versions_reloaded: { policy_version: 'policy-v4' },
        validation_result: 'continuity_validated',
        authorized: false,
        requires_reauthorization: true,
        session_epoch: 1,
      },
    });
  });

  it('fences off whoever resumed before, and knows a caller without a runtime by its own name', async () => {
    const run = requestsOf('fenced');
    await gate.seal(run.sealRequest());
    await gate.rehydrate(run.rehydrateRequest());

    const second = await gate.rehydrate(run.rehydrateRequest({ runtime_id: undefined, session_epoch: 1 }));

    expect(second.body).toMatchObject({ session_epoch: 2, held_by: 'open' });
    expect(await storedEpoch(gate, run)).toEqual({ session_epoch: 2, held_by: 'open' });
  });

  it('lets what was added since the boundary join the view: stricter is allowed, silent is not', async () => {
    const run = requestsOf('joined');
    await gate.seal(run.sealRequest());

    const answer = await gate.rehydrate(
      run.rehydrateRequest({
        current_state: run.attestedState({
          exact_constraint_refs: ['new-constraint', run.constraint_ref],
          pending_obligations: ['new-obligation'],
          budget_remaining: 7,
        }),
      }),
    );

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      pending_obligations: [run.obligation_id, 'new-obligation'],
      context_view: {
        constraints: [{ ref: run.constraint_ref }, { ref: 'new-constraint' }],
        pending_obligations: [run.obligation_id, 'new-obligation'],
        budget_remaining: 7,
      },
    });
  });

  it('knows a summary by what is between its white space', async () => {
    const run = requestsOf('spaced');
    await gate.seal(run.sealRequest());

    const answer = await gate.rehydrate(run.rehydrateRequest({ summary: `\u0085\n${summary}\u3000` }));

    expect(answer.status).toBe(200);
  });
});
