import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../support/answer.js';
import { canonical, sha256Hex } from '../../support/canonical-json.js';
import { requestsOf, summary, type Requests } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const uuid: unknown = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);
const moment: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const preserved: unknown = expect.arrayContaining(['identity', 'side_effect_state']);

let gate: TestApp;
/** The same store behind a service that accepts no attested state. */
let strictGate: TestApp;

beforeAll(async () => {
  gate = await createTestApp();
  strictGate = await createTestApp({
    access: { mode: 'open', attestedState: false, hostNames: undefined },
    connectionString: gate.connectionString,
  });
});

afterAll(async () => {
  await strictGate.close();
  await gate.close();
});

describe('201', () => {
  it('answers with the stored envelope, its digest, the epoch and the event of the same transaction', async () => {
    const run = requestsOf('accepted');

    const answer = await gate.seal(run.sealRequest());

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      continuity_envelope: run.envelope(),
      envelope_sha256: `sha256:${sha256Hex(canonical(run.envelope()))}`,
      created_at: moment,
      session_epoch: 0,
      trace_event: { event_id: uuid, event_type: 'context_compaction' },
    });
    expect(await storedEnvelopes(run)).toEqual([
      {
        envelope_id: run.envelope_id,
        session_id: run.session_id,
        envelope: run.envelope(),
        envelope_sha256: answer.string('/envelope_sha256'),
        trace_event_id: answer.string('/trace_event/event_id'),
      },
    ]);
    expect(await gate.storedEvents(run)).toEqual([
      expect.objectContaining({
        event_id: answer.string('/trace_event/event_id'),
        event_type: 'context_compaction',
        principal_id: run.principal_id,
        actor: 'open',
        trace_id: run.envelope().source_trace_id,
        envelope_id: run.envelope_id,
        decision_id: null,
        status: null,
        reason: null,
        sequence: 1,
        payload: {
          envelope_id: run.envelope_id,
          envelope_sha256: answer.string('/envelope_sha256'),
          source_event_range: run.envelope().source_event_range,
          lineage_sha256: null,
          summary_sha256: run.envelope().summary_sha256,
          trigger: 'context_compaction',
          preserved_field_classes: preserved,
          released: [],
          session_epoch: 0,
        },
      }),
    ]);
    expect(await decisionsOf(run)).toEqual([]);
  });

  it('points at where the envelope can be read, whatever its id holds', async () => {
    const run = requestsOf('location');
    const envelope_id = 'a/b?c#d%2F ü 🎫';

    const answer = await gate.seal(run.sealRequest({ envelope: { envelope_id } }));

    const read = await gate.get(String(answer.headers['location']));
    expect(read.status).toBe(200);
    expect(read.text).toBe(answer.text);
  });

  it.each(['context_reset', 'process_recovery', 'role_handoff'])(
    'leaves a reset_boundary for %s',
    async (reset_reason) => {
      const run = requestsOf(reset_reason);

      const answer = await gate.seal(run.sealRequest({ envelope: { reset_reason } }));

      expect(answer.string('/trace_event/event_type')).toBe('reset_boundary');
      expect(await gate.storedEvents(run)).toEqual([
        expect.objectContaining({
          event_type: 'reset_boundary',
          payload: expect.objectContaining({ trigger: reset_reason }) as unknown,
        }),
      ]);
    },
  );

  it('stores strings without white space around them', async () => {
    const run = requestsOf('trimmed');

    const answer = await gate.seal(
      run.sealRequest({
        envelope: { session_id: `\u0085 ${run.session_id}\u2003`, pending_obligations: [' owed '] },
      }),
    );

    expect(answer.body).toMatchObject({
      continuity_envelope: { session_id: run.session_id, pending_obligations: ['owed'] },
    });
    expect(await gate.storedEvents(run)).toHaveLength(1);
  });

  it('leaves out of the envelope what was left out of it', async () => {
    const run = requestsOf('absent');
    const absent = { sandbox_snapshot_ref: undefined, budget_remaining: undefined };

    const answer = await gate.seal(run.sealRequest({ envelope: absent }));

    expect(answer.status).toBe(201);
    expect(answer.body).not.toHaveProperty('continuity_envelope.sandbox_snapshot_ref');
    expect(answer.body).not.toHaveProperty('continuity_envelope.budget_remaining');
    expect(answer.string('/envelope_sha256')).toBe(`sha256:${sha256Hex(canonical(run.envelope(absent)))}`);
  });

  it('asks for no summary', async () => {
    const run = requestsOf('unpresented');

    expect((await gate.seal(run.sealRequest({ summary: undefined }))).status).toBe(201);
  });

  it('accepts an effect whose outcome is not known: it blocks later, not here', async () => {
    const run = requestsOf('unknown');
    const envelope = { side_effect_status: 'side_effect_unknown' };

    expect((await gate.seal(run.sealRequest({ envelope }))).status).toBe(201);
  });

  it('keeps the ids of two tenants apart', async () => {
    const [one, other] = [requestsOf('tenant-one'), requestsOf('tenant-two')];
    const envelope = { envelope_id: 'shared', session_id: 'shared' };

    const answers = [
      await gate.seal(one.sealRequest({ envelope })),
      await gate.seal(other.sealRequest({ envelope })),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    for (const run of [one, other]) {
      expect(await gate.storedEvents({ ...run, session_id: 'shared' })).toHaveLength(1);
    }
  });
});

describe('200', () => {
  it('repeats the first answer to the letter, with no second event', async () => {
    const run = requestsOf('repeated');
    const first = await gate.seal(run.sealRequest());

    const again = await gate.seal(run.sealRequest());

    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(again.headers['location']).toBe(first.headers['location']);
    expect(await gate.storedEvents(run)).toHaveLength(1);
    expect(await storedEnvelopes(run)).toHaveLength(1);
  });

  it('knows an envelope whose text is written in another way', async () => {
    const run = requestsOf('rewritten');
    const first = await gate.seal(run.sealRequest());
    const reversed = Object.fromEntries(Object.entries(run.envelope()).reverse());

    const again = await gate.inject({
      method: 'POST',
      url: '/envelopes',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ continuity_envelope: reversed })
        .replace('"budget_remaining":7', '"budget_remaining": 7.0e0')
        .replace(run.session_id, ` ${run.session_id}\\u0020`),
    });

    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
  });

  it('comes before every other check', async () => {
    const run = requestsOf('before');
    const first = await gate.seal(run.sealRequest());
    await gate.rehydrate(run.rehydrateRequest());
    await gate.seal(run.sealRequest({ envelope: { envelope_id: 'before-newer' }, session_epoch: 1 }));
    const events = await gate.storedEvents(run);

    const again = await gate.seal(
      run.sealRequest({ summary: 'another one', session_epoch: 9, released: [release('x')] }),
    );

    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(await gate.storedEvents(run)).toEqual(events);
  });
});

describe('409 envelope_conflict', () => {
  it.each([
    ['other content', { checkpoint_ref: 'another' }],
    ['a field more', { budget_remaining: undefined }],
    ['another session', { session_id: 'conflict-elsewhere' }],
  ])('refuses %s under a sealed id, and changes nothing', async (what, envelope) => {
    const run = requestsOf(`conflict with ${what}`);
    await gate.seal(run.sealRequest());
    const before = [await storedEnvelopes(run), await gate.storedEvents(run)];

    const answer = await gate.seal(run.sealRequest({ envelope }));

    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'envelope_conflict', errors: [] });
    expect([await storedEnvelopes(run), await gate.storedEvents(run)]).toEqual(before);
    expect(await gate.storedEvents({ ...run, session_id: 'conflict-elsewhere' })).toEqual([]);
  });
});

describe('409 stale_epoch', () => {
  it.each([
    ['absent', undefined],
    ['behind', 0],
    ['ahead', 2],
  ])('refuses an epoch that is %s once the session was resumed', async (which, session_epoch) => {
    const run = requestsOf(`epoch-${which}`);
    await gate.seal(run.sealRequest());
    const go = await gate.rehydrate(run.rehydrateRequest({ runtime_id: 'runtime-b' }));
    const envelope = { envelope_id: 'later' };

    const answer = await gate.seal(run.sealRequest({ envelope, session_epoch }));

    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      code: 'stale_epoch',
      held_by: 'runtime-b',
      held_since: go.string('/decided_at'),
    });
    expect(answer.body).not.toHaveProperty('session_epoch');
    expect(await storedEnvelopes(run)).toHaveLength(1);
    expect((await gate.storedEvents(run)).at(-1)).toMatchObject({
      event_type: 'continuity_validation_failed',
      envelope_id: 'later',
      status: 'continuity_validation_failed',
      reason: 'stale_epoch',
      sequence: 3,
      payload: { phase: 'compaction', findings: [{ reason: 'stale_epoch' }] },
    });
  });

  it('lets the holder of the current epoch seal, and says in which epoch', async () => {
    const run = requestsOf('epoch-current');
    await gate.seal(run.sealRequest());
    await gate.rehydrate(run.rehydrateRequest());

    const answer = await gate.seal(run.sealRequest({ envelope: { envelope_id: 'later' }, session_epoch: 1 }));

    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ session_epoch: 1 });
    expect((await gate.storedEvents(run)).at(-1)).toMatchObject({ payload: { session_epoch: 1 } });
  });

  it('refuses an epoch that a session without any has not reached', async () => {
    const run = requestsOf('epoch-none');

    const answer = await gate.seal(run.sealRequest({ session_epoch: 1 }));

    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ held_by: null, held_since: null });
    expect((await gate.seal(run.sealRequest({ session_epoch: 0 }))).status).toBe(201);
  });
});

describe('422', () => {
  it('refuses a summary that is not the bound one, and leaves the decision and its event', async () => {
    const run = requestsOf('summary');

    const answer = await gate.seal(run.sealRequest({ summary: `${summary} And go on.` }));

    await expectRefusal(run, answer, ['summary_digest_mismatch']);
    expect(await storedEnvelopes(run)).toEqual([]);
    expect((await gate.seal(run.sealRequest({ summary: `\n ${summary}\u3000` }))).status).toBe(201);
  });

  const dropping = {
    constraint: { exact_constraint_refs: ['another'] },
    obligation: { pending_obligations: ['another'] },
  };

  it.each([
    ['a constraint', dropping.constraint, ['constraint_missing']],
    ['an obligation', dropping.obligation, ['obligation_dropped']],
    [
      'both, in the order of the rules',
      { ...dropping.obligation, ...dropping.constraint },
      ['constraint_missing', 'obligation_dropped'],
    ],
  ])('refuses to lose %s of the previous envelope', async (what, envelope, findings) => {
    const run = requestsOf(`losing ${what}`);
    await gate.seal(run.sealRequest());

    const answer = await gate.seal(run.sealRequest({ envelope: { envelope_id: 'next', ...envelope } }));

    await expectRefusal(run, answer, findings, 'next');
    expect(await storedEnvelopes(run)).toHaveLength(1);
  });

  it('refuses to lose over two boundaries what the first one still named', async () => {
    const run = requestsOf('generations');
    const next = (envelope_id: string, changes: object) =>
      run.sealRequest({ envelope: { envelope_id, ...changes } });
    const added = { pending_obligations: [run.obligation_id, 'added'] };
    await gate.seal(next('first', {}));
    await gate.seal(next('second', added));

    expect((await gate.seal(next('third', {}))).status).toBe(422);
    expect((await gate.seal(next('third', added))).status).toBe(201);
  });

  const otherwise = {
    policy: { policy_version: 'policy-v5' },
    capability: { capability_version: 'create-ticket-v4' },
    action: { action_digest: 'sha256:another-action' },
  };

  it.each(Object.entries(otherwise))(
    'refuses to seal an approval again under another %s: a new version forces a new decision',
    async (what, change) => {
      const run = requestsOf(`rebound-${what}`);
      await gate.seal(run.sealRequest());

      const answer = await gate.seal(run.sealRequest({ envelope: { envelope_id: 'next', ...change } }));

      await expectRefusal(run, answer, ['approval_binding_changed'], 'next');
    },
  );

  it('binds an approval in its own session, and another approval not at all', async () => {
    const run = requestsOf('rebound');
    await gate.seal(run.sealRequest());
    const elsewhere = { envelope_id: 'elsewhere', session_id: 'elsewhere', ...otherwise.policy };
    const renewed = { envelope_id: 'renewed', approval_id: 'renewed', ...otherwise.policy };

    expect((await gate.seal(run.sealRequest({ envelope: elsewhere }))).status).toBe(201);
    expect((await gate.seal(run.sealRequest({ envelope: renewed }))).status).toBe(201);
  });

  it('remembers the first binding of an approval beyond the envelope before', async () => {
    const run = requestsOf('rebound-later');
    await gate.seal(run.sealRequest());
    await gate.seal(run.sealRequest({ envelope: { envelope_id: 'second', approval_id: 'other' } }));

    const answer = await gate.seal(
      run.sealRequest({ envelope: { envelope_id: 'third', ...otherwise.policy } }),
    );

    await expectRefusal(run, answer, ['approval_binding_changed'], 'third');
  });

  it('leaves the id of a refused envelope free, and binds nothing to it', async () => {
    const run = requestsOf('refused-first');
    await gate.seal(run.sealRequest({ summary: 'another one', envelope: otherwise.policy }));

    expect((await gate.seal(run.sealRequest())).status).toBe(201);
  });
});

describe('released', () => {
  it('releases what it names, and says so in the event', async () => {
    const run = requestsOf('released');
    await gate.seal(run.sealRequest());
    const released = [release(run.constraint_ref), release(run.obligation_id)];
    const envelope = { envelope_id: 'next', exact_constraint_refs: [], pending_obligations: [] };

    const answer = await gate.seal(run.sealRequest({ envelope, released }));

    expect(answer.status).toBe(201);
    expect((await gate.storedEvents(run)).at(-1)).toMatchObject({
      event_type: 'context_compaction',
      payload: { released },
    });
  });

  it('releases nothing else', async () => {
    const run = requestsOf('released-one');
    await gate.seal(run.sealRequest());
    const envelope = { envelope_id: 'next', exact_constraint_refs: [], pending_obligations: [] };

    const answer = await gate.seal(run.sealRequest({ envelope, released: [release(run.constraint_ref)] }));

    await expectRefusal(run, answer, ['obligation_dropped'], 'next');
  });

  it('is no way around the binding of an approval', async () => {
    const run = requestsOf('released-binding');
    await gate.seal(run.sealRequest());
    const envelope = { envelope_id: 'next', policy_version: 'policy-v5' };

    const answer = await gate.seal(
      run.sealRequest({ envelope, released: [release(run.envelope().approval_id)] }),
    );

    await expectRefusal(run, answer, ['approval_binding_changed'], 'next');
  });

  it('is refused with 403 where state may not be attested, and leaves its event', async () => {
    const run = requestsOf('released-strictly');
    await gate.seal(run.sealRequest());
    const envelope = { envelope_id: 'next', pending_obligations: [] };

    const answer = await strictGate.seal(
      run.sealRequest({ envelope, released: [release(run.obligation_id)] }),
    );

    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: 'attested_state_refused', status: 403 });
    expect(await storedEnvelopes(run)).toHaveLength(1);
    expect((await gate.storedEvents(run)).at(-1)).toMatchObject({
      event_type: 'continuity_validation_failed',
      envelope_id: 'next',
      reason: 'attested_state_refused',
      payload: { phase: 'compaction' },
    });
  });

  it('of nothing is no attestation', async () => {
    const run = requestsOf('released-nothing');

    expect((await strictGate.seal(run.sealRequest({ released: [] }))).status).toBe(201);
  });
});

describe('400', () => {
  it.each([
    [
      { continuity_envelope: 'all of it' },
      'Continuity envelope must be ContinuityEnvelope',
      '/continuity_envelope',
    ],
    [{ summary: '\u2003 ' }, 'Continuity field is required: summary', '/summary'],
    [
      { session_epoch: 1.5 },
      'Continuity field must be a non-negative integer: session_epoch',
      '/session_epoch',
    ],
    [
      { released: [{ ref: 'x', evidence_refs: [] }] },
      'Continuity field is required: released[0].evidence_refs',
      '/released/0/evidence_refs',
    ],
    [
      { authorized_by_summary: true },
      'Continuity field is not supported: authorized_by_summary',
      '/authorized_by_summary',
    ],
  ])('tells the operator error of %o to the letter, and leaves nothing', async (changes, detail, pointer) => {
    const run = requestsOf('malformed');

    const answer = await gate.seal({ ...run.sealRequest(), ...changes });

    expect(answer.status).toBe(400);
    expect(answer.contentType).toBe('application/problem+json; charset=utf-8');
    expect(answer.body).toEqual({
      type: 'urn:continuity-gate:problem:schema_invalid',
      title: 'The request is malformed',
      status: 400,
      detail,
      code: 'schema_invalid',
      errors: [{ pointer, message: detail }],
      request_id: answer.headers['x-request-id'],
    });
    expect(await gate.storedEvents(run)).toEqual([]);
    expect(await gate.query('select from session_heads where tenant_id = $1', [run.tenant_id])).toEqual([]);
  });
});

function release(ref: string) {
  return { ref, evidence_refs: ['trace:released', 'note:7'] };
}

/** A refusal by the rules: the answer, the decision with its replay, and the event at the end of the chain. */
async function expectRefusal(
  run: Requests,
  answer: Answer,
  reasons: readonly string[],
  envelope_id = run.envelope_id,
): Promise<void> {
  const findings = reasons.map((reason) => ({ reason }));
  const decision = {
    status: 'continuity_validation_failed',
    reason: reasons[0],
    findings,
    authorized: false,
    requires_reauthorization: true,
    envelope_id,
    session_id: run.session_id,
    tenant_id: run.tenant_id,
    control_state_source: 'attested',
  };
  expect(answer.status).toBe(422);
  expect(answer.contentType).toBe('application/json; charset=utf-8');
  expect(answer.body).toMatchObject(decision);

  const decision_id = answer.string('/decision_id');
  const recorded = await gate.get(`/decisions/${decision_id}`, { tenant_id: run.tenant_id });
  expect(recorded.body).toMatchObject({
    ...decision,
    facts: { kind: 'sealing' },
    replayed: { status: decision.status, reason: decision.reason, same: true },
  });
  expect((await gate.storedEvents(run)).at(-1)).toMatchObject({
    event_id: answer.string('/trace_event/event_id'),
    event_type: 'continuity_validation_failed',
    envelope_id,
    decision_id,
    status: decision.status,
    reason: decision.reason,
    payload: {
      phase: 'compaction',
      status: decision.status,
      reason: decision.reason,
      findings,
      claimed: { envelope_id, session_id: run.session_id, principal_id: run.principal_id },
    },
  });
}

function storedEnvelopes({ tenant_id }: Requests): Promise<unknown[]> {
  return gate.query(
    `select envelope_id, session_id, envelope, envelope_sha256, trace_event_id
       from envelopes where tenant_id = $1 order by created_at`,
    [tenant_id],
  );
}

function decisionsOf({ tenant_id }: Requests): Promise<unknown[]> {
  return gate.query('select decision_id from decisions where tenant_id = $1', [tenant_id]);
}
