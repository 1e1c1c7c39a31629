import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Answer } from '../../support/answer.js';
import { canonical, sha256Hex } from '../../support/canonical-json.js';
import { valueAt } from '../../support/edit-json.js';
import { recordsOfTenant, writeMatchingRecords } from '../../support/records.js';
import { requestsOf, type Requests } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

let gate: TestApp;
let runs = 0;

const misshapen = {
  principal_id: 7,
  session_id: { id: 'nested' },
  authorization_mode: ['user_delegated'],
  exact_constraint_refs: 'constraint:1',
  pending_obligations: { first: 'obligation:1' },
  source_event_range: 'event-1',
  pending_actions: 'none',
  objective: null,
  budget_remaining: '7',
};

beforeAll(async () => {
  gate = await createTestApp();
});

afterAll(() => gate.close());

describe('somebody past every guard of the database is noticed', () => {
  it('who changes a sealed envelope', async () => {
    const run = await newSealed();
    await pastTheGuards(
      `update envelopes set envelope = jsonb_set(envelope::jsonb, '{side_effect_status}', '"side_effect_committed"')::json
        where tenant_id = $1`,
      [run.tenant_id],
    );

    expect(findings(await resume(run))).toEqual([
      'envelope_integrity_mismatch',
      'side_effect_status_changed',
    ]);
  });

  it('who adds to a sealed envelope', async () => {
    const run = await newSealed();
    await pastTheGuards(
      `update envelopes set envelope = jsonb_set(envelope::jsonb, '{authorized}', 'true')::json where tenant_id = $1`,
      [run.tenant_id],
    );

    expect(findings(await resume(run))).toEqual(['envelope_integrity_mismatch']);
  });

  it('who changes the digest of an envelope', async () => {
    const run = await newSealed();
    await pastTheGuards(
      `update envelopes set envelope_sha256 = 'sha256:' || repeat('0', 64) where tenant_id = $1`,
      [run.tenant_id],
    );

    expect(findings(await resume(run))).toEqual(['envelope_integrity_mismatch']);
  });

  it('who changes the log at the end of the sealed range', async () => {
    const run = await newSealed();
    await pastTheGuards(
      `update session_events set lineage_sha256 = repeat('0', 64) where tenant_id = $1 and sequence = 9`,
      [run.tenant_id],
    );

    expect(findings(await resume(run))).toEqual(['event_lineage_mismatch']);
  });

  it.each([
    ['first', 1],
    ['last', 9],
  ])('who takes the %s event of the sealed range away', async (_which, sequence) => {
    const run = await newSealed();
    await pastTheGuards('delete from session_events where tenant_id = $1 and sequence = $2', [
      run.tenant_id,
      sequence,
    ]);

    expect(findings(await resume(run))).toEqual(['event_lineage_mismatch']);
  });

  it('who turns the sealed range round', async () => {
    const run = await newSealed();
    const { first, last } = run.envelope().source_event_range;
    for (const [from, to] of [
      [first, 'aside'],
      [last, first],
      ['aside', last],
    ]) {
      await pastTheGuards('update session_events set event_id = $3 where tenant_id = $1 and event_id = $2', [
        run.tenant_id,
        from,
        to,
      ]);
    }

    expect(findings(await resume(run))).toEqual(['event_lineage_mismatch']);
  });
});

it('an envelope of a schema that this gate does not validate stops the run, however well it is kept', async () => {
  const run = await newSealed();
  const sealed = await gate.get(`/envelopes/${run.envelope_id}`, { tenant_id: run.tenant_id });
  const later = {
    ...(valueAt(sealed.body, '/continuity_envelope') as object),
    schema_version: 'continuity-envelope/v9',
  };
  await pastTheGuards('update envelopes set envelope = $2, envelope_sha256 = $3 where tenant_id = $1', [
    run.tenant_id,
    JSON.stringify(later),
    `sha256:${sha256Hex(canonical(later))}`,
  ]);

  const stopped = await resume(run);

  expect(stopped.status).toBe(422);
  expect(findings(stopped)).toEqual(['schema_version_unsupported']);
  expect(stopped.string('/versions/schema_version')).toBe('continuity-envelope/v9');
});

it.each([
  ['nothing in it', { schema_version: 'continuity-envelope/v9' }],
  ['no version', {}],
  ['a version that is no text', { schema_version: 2 }],
  ['other types under the known names', { ...misshapen, schema_version: 'continuity-envelope/v9' }],
  ['a list', ['continuity-envelope/v1']],
  ['a text', 'continuity-envelope/v1'],
  ['null', null],
])(
  'an envelope of an unknown version with %s stops the run, and nobody is told anything of it',
  async (_, json) => {
    const run = await newSealed();
    await pastTheGuards('update envelopes set envelope = $2, envelope_sha256 = $3 where tenant_id = $1', [
      run.tenant_id,
      JSON.stringify(json),
      `sha256:${sha256Hex(canonical(json))}`,
    ]);

    const stopped = await resume(run);
    const next = await gate.seal(run.sealRequest({ envelope: { envelope_id: 'next' } }));

    expect([stopped.status, stopped.string('/reason')]).toEqual([422, 'schema_version_unsupported']);
    expect(findings(stopped)).not.toContain('envelope_integrity_mismatch');
    expect(valueAt(stopped.body, '/versions')).toBeUndefined();
    expect(next.status).toBe(201);
  },
);

it('a stop on an envelope that was changed tells of an unknown effect, but not where to settle it', async () => {
  const run = await newSealed();
  await recordsOfTenant(gate, run.tenant_id).put('side-effects/other', {
    session_id: run.session_id,
    capability_name: 'close_ticket',
    approval_id: 'other',
    action_digest: 'sha256:other',
    side_effect_status: 'side_effect_unknown',
  });
  await pastTheGuards(`update envelopes set envelope_sha256 = 'sha256:other' where tenant_id = $1`, [
    run.tenant_id,
  ]);

  const stopped = await resume(run);

  expect([stopped.status, stopped.string('/status')]).toEqual([422, 'continuity_validation_failed']);
  expect(findings(stopped)).toEqual(['envelope_integrity_mismatch', 'unknown_side_effect']);
  expect(valueAt(stopped.body, '/reconciliation')).toBeUndefined();
});

/** As a superuser to whom no trigger applies. */
async function pastTheGuards(sql: string, values: readonly unknown[]): Promise<void> {
  await gate.query('set session_replication_role = replica');
  await gate.query(sql, values);
  await gate.query('reset session_replication_role');
}

async function newSealed(): Promise<Requests> {
  runs += 1;
  const run = requestsOf(`p${runs}`);
  await writeMatchingRecords(gate, run);
  expect((await gate.seal(run.sealRequest())).status).toBe(201);
  return run;
}

/** From records alone. */
function resume(run: Requests): Promise<Answer> {
  return gate.rehydrate(run.rehydrateRequest({ current_state: undefined, source_event_range: undefined }));
}

function findings({ body }: Answer): unknown[] {
  return (valueAt(body, '/findings') as { reason: string }[]).map(({ reason }) => reason);
}
