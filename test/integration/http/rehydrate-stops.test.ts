import { Type } from '@sinclair/typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStop, storedEpoch } from '../../support/expect-stop.js';
import { readFixture } from '../../support/read-fixture.js';
import { setHeadGuards } from '../../support/head-guards.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const changes = Type.Optional(Type.Record(Type.String(), Type.Unknown()));

/** Every reason to stop that an attested state or the request itself can give, but those that come with 409. */
const stops = readFixture(
  'attested-stops.json',
  Type.Array(
    Type.Object(
      {
        when: Type.String(),
        envelope: changes,
        state: changes,
        request: changes,
        range: changes,
        without: Type.Optional(Type.Array(Type.String())),
        findings: Type.Array(Type.String(), { minItems: 1 }),
      },
      { additionalProperties: false },
    ),
  ),
);

let gate: TestApp;

beforeAll(async () => {
  gate = await createTestApp();
});

afterAll(() => gate.close());

describe('422', () => {
  it.each(stops)('stops when $when: $findings', async (stop) => {
    const run = requestsOf(stop.when.replaceAll(' ', '-'));
    await gate.seal(run.sealRequest({ envelope: stop.envelope ?? {} }));
    const without = Object.fromEntries((stop.without ?? []).map((field) => [field, undefined]));

    const answer = await gate.rehydrate(
      run.rehydrateRequest({
        source_event_range: { ...run.envelope().source_event_range, ...stop.range },
        current_state: run.attestedState(stop.state),
        ...stop.request,
        ...without,
      }),
    );

    expect(answer.status).toBe(422);
    await expectStop(gate, answer, { phase: 'rehydration', findings: stop.findings });
    expect(await storedEpoch(gate, run)).toEqual({ session_epoch: 0, held_by: null });
  });

  it.each([
    ['a snapshot where none was sealed', { sandbox_snapshot_ref: undefined }, 'sandbox_snapshot_changed'],
    ['an empty budget where none was sealed', { budget_remaining: undefined }, 'budget_exhausted'],
  ])('stops when there is %s', async (what, envelope, finding) => {
    const run = requestsOf(what);
    await gate.seal(run.sealRequest({ envelope }));
    const current_state = run.attestedState({
      sandbox_snapshot_ref: `${what}-snapshot`,
      budget_remaining: 'budget_remaining' in envelope ? 0 : 7,
    });

    const answer = await gate.rehydrate(run.rehydrateRequest({ current_state }));

    await expectStop(gate, answer, { phase: 'rehydration', findings: [finding] });
  });

  it('stops from an envelope that was superseded, and goes on from the one that did it', async () => {
    const run = requestsOf('superseded');
    await gate.seal(run.sealRequest());
    await gate.seal(run.sealRequest({ envelope: { envelope_id: 'newer' } }));

    const answer = await gate.rehydrate(run.rehydrateRequest());

    await expectStop(gate, answer, { phase: 'rehydration', findings: ['envelope_superseded'] });
    expect((await gate.rehydrate(run.rehydrateRequest({ envelope_id: 'newer' }))).status).toBe(200);
  });

  it.each([
    { which: 'tenant', request: {}, state: { tenant_id: 'other' } },
    { which: 'principal', request: { principal_id: 'other' }, state: {} },
    { which: 'session', request: { session_id: 'other' }, state: {} },
  ])('reveals nothing that was sealed to another $which', async ({ which, request, state }) => {
    const run = requestsOf(`reveals-${which}`);
    await gate.seal(run.sealRequest());

    const answer = await gate.rehydrate(
      run.rehydrateRequest({ current_state: run.attestedState(state), ...request }),
    );

    expect(Object.keys(answer.body ?? {}).sort()).toEqual([
      'authorized',
      'control_state_source',
      'decided_at',
      'decision_id',
      'envelope_id',
      'findings',
      'reason',
      'requires_reauthorization',
      'session_id',
      'status',
      'tenant_id',
      'trace_event',
      'trace_id',
    ]);
  });

  it('tells the right caller what the run is held to', async () => {
    const run = requestsOf('told');
    await gate.seal(run.sealRequest());

    const answer = await gate.rehydrate(
      run.rehydrateRequest({ current_state: run.attestedState({ approval_status: 'revoked' }) }),
    );

    expect(answer.body).toMatchObject({
      source_trace_id: 'told-trace-1',
      checkpoint_ref: 'told-checkpoint',
      versions: { policy_version: 'policy-v4', capability_version: 'create-ticket-v3' },
      idempotency_key: run.idempotency_key,
      side_effect_status: 'not_started',
      pending_obligations: [run.obligation_id],
    });
    expect(answer.body).not.toHaveProperty('context_view');
    expect(answer.body).not.toHaveProperty('session_epoch');
  });

  it('names the records that nobody has told, by their paths', async () => {
    const run = requestsOf('missing/über');
    await gate.seal(run.sealRequest());

    const answer = await gate.rehydrate(
      run.rehydrateRequest({ current_state: undefined, source_event_range: undefined }),
    );

    expect(answer.body).toMatchObject({
      reason: 'control_state_missing',
      control_state_source: 'records',
      side_effect_status: null,
      missing: [
        'policy',
        'capabilities/create_ticket',
        'sessions/missing%2F%C3%BCber-session',
        'approvals/missing%2F%C3%BCber-approval',
        'side-effects/missing%2F%C3%BCber-intent',
      ],
    });
  });

  const tampered = {
    schema_version_unsupported: `jsonb_set(envelope::jsonb, '{schema_version}', '"continuity-envelope/v3"')`,
    envelope_integrity_mismatch: `jsonb_set(envelope::jsonb, '{policy_version}', '"policy-v9"')`,
  };

  it.each(Object.entries(tampered))(
    'stops when the stored envelope is not the sealed one: %s',
    async (reason, envelope) => {
      const run = requestsOf(reason);
      await gate.seal(run.sealRequest());
      await setHeadGuards(gate.connectionString, 'disable');
      await gate.query(
        `with copied as (
           insert into envelopes
             (tenant_id, envelope_id, session_id, envelope, envelope_sha256, session_epoch, created_at,
              trace_event_id, trace_event_type)
           select tenant_id, 'tampered', session_id, ${envelope}, envelope_sha256, session_epoch, created_at,
                  trace_event_id, trace_event_type
             from envelopes where tenant_id = $1
           returning tenant_id, session_id
         )
         update session_heads set newest_envelope_id = 'tampered' from copied
          where (session_heads.tenant_id, session_heads.session_id) = (copied.tenant_id, copied.session_id)`,
        [run.tenant_id],
      );
      await setHeadGuards(gate.connectionString, 'enable');

      const answer = await gate.rehydrate(run.rehydrateRequest({ envelope_id: 'tampered' }));

      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ reason });
      expect(JSON.stringify(answer.body)).toContain('envelope_integrity_mismatch');
    },
  );
});

describe('409', () => {
  it('blocks while the outcome of an effect is unknown, and says what to reconcile', async () => {
    const run = requestsOf('blocked');
    await gate.seal(run.sealRequest());
    const current_state = run.attestedState({ side_effect_status: 'side_effect_unknown' });

    const answer = await gate.rehydrate(run.rehydrateRequest({ current_state }));

    await expectStop(gate, answer, { phase: 'rehydration', findings: ['unknown_side_effect'] });
    expect(answer.body).toMatchObject({
      side_effect_status: 'side_effect_unknown',
      reconciliation: [
        { idempotency_key: run.idempotency_key, capability_name: 'create_ticket', href: null },
      ],
    });
  });

  it('asks for reconciliation before the renewal of an approval', async () => {
    const run = requestsOf('blocked-expired');
    await gate.seal(run.sealRequest({ envelope: { approval_expires_at: '2026-01-01T00:00:00Z' } }));
    const current_state = run.attestedState({
      side_effect_status: 'side_effect_unknown',
      approval_status: 'revoked',
    });

    const answer = await gate.rehydrate(run.rehydrateRequest({ current_state }));

    await expectStop(gate, answer, {
      phase: 'rehydration',
      findings: ['unknown_side_effect', 'approval_revoked', 'approval_expired'],
    });
    expect(answer.body).toHaveProperty('reconciliation');
  });

  it('says nothing of effects to someone who presents another summary', async () => {
    const run = requestsOf('blocked-summary');
    await gate.seal(run.sealRequest());
    const current_state = run.attestedState({ side_effect_status: 'side_effect_unknown' });

    const answer = await gate.rehydrate(run.rehydrateRequest({ current_state, summary: 'another one' }));

    await expectStop(gate, answer, {
      phase: 'rehydration',
      findings: ['summary_digest_mismatch', 'unknown_side_effect'],
    });
    expect(answer.body).not.toHaveProperty('reconciliation');
  });
});
