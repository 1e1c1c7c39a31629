import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { matchingEvents, recordsOfTenant, writeMatchingRecords } from '../../support/records.js';
import { requestsOf, type Requests } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

/** What no call of the public API brings about, brought about in the store: the scenarios that are pending say so. */

let gate: TestApp;

beforeAll(async () => {
  gate = await createTestApp();
});

afterAll(() => gate.close());

describe('a stored envelope', () => {
  it('of another schema version stops the run by rule 1, whatever else is found', async () => {
    const run = await sealed('older-format');
    await tamper(
      `update envelopes set envelope = replace(envelope::text, 'continuity-envelope/v1', 'continuity-envelope/v0')::json
       where envelope_id = '${run.envelope_id}'`,
    );
    expect(await findingsOf(run)).toEqual(['schema_version_unsupported', 'envelope_integrity_mismatch']);
  });

  it('that is not what was sealed stops the run by rule 2', async () => {
    const run = await sealed('rewritten');
    await tamper(
      `update envelopes set envelope = replace(envelope::text, '${run.obligation_id}', 'something_else')::json
       where envelope_id = '${run.envelope_id}'`,
    );
    expect((await findingsOf(run))[0]).toBe('envelope_integrity_mismatch');
  });

  it('whose recorded digest was changed stops the run by rule 2', async () => {
    const run = await sealed('redigested');
    await tamper(
      `update envelopes set envelope_sha256 = 'sha256:0' where envelope_id = '${run.envelope_id}'`,
    );
    expect(await findingsOf(run)).toEqual(['envelope_integrity_mismatch']);
  });
});

describe('an event log that was put back', () => {
  it.each([
    ['as it was lets the run go on', (events: Events) => events, []],
    [
      'without its middle stops the run',
      (events: Events) => [...events.slice(0, 3), ...events.slice(5)],
      ['event_lineage_mismatch'],
    ],
    [
      'in another order stops the run',
      ([first, second, third, ...rest]: Events) => [first, third, second, ...rest],
      ['event_lineage_mismatch'],
    ],
    [
      'with another event under an id stops the run',
      (events: Events) =>
        events.map((event, index) => (index === 4 ? { ...event, content_sha256: 'sha256:x' } : event)),
      ['event_lineage_mismatch'],
    ],
    ['without its end stops the run', (events: Events) => events.slice(0, -1), ['event_lineage_mismatch']],
  ])('%s', async (name, change, findings) => {
    const run = await sealed(`log-${name.replaceAll(' ', '-')}`);
    await tamper(`delete from session_events where session_id = '${run.session_id}'`);
    await tamper(
      `update session_heads set event_sequence = 0, lineage_sha256 = repeat('0', 64)
       where session_id = '${run.session_id}'`,
    );
    const { events } = matchingEvents(run);
    await recordsOfTenant(gate, run.tenant_id).post(`sessions/${run.session_id}/events`, {
      events: change(events),
    });
    expect(await findingsOf(run)).toEqual(findings);
  });
});

type Events = ReturnType<typeof matchingEvents>['events'];

async function sealed(prefix: string): Promise<Requests> {
  const run = requestsOf(prefix);
  await writeMatchingRecords(gate, run);
  const { status, text } = await gate.seal(run.sealRequest());
  if (status !== 201) throw new Error(text);
  return run;
}

/** Past the triggers that refuse it, as only the owner of the store can. */
async function tamper(sql: string): Promise<void> {
  await gate.query('set session_replication_role = replica');
  try {
    await gate.query(sql);
  } finally {
    await gate.query('set session_replication_role = origin');
  }
}

async function findingsOf(run: Requests): Promise<unknown[]> {
  const answer = await gate.rehydrate(run.rehydrateRequest({ current_state: undefined }));
  const { findings } = answer.body as { findings: { reason: string }[] };
  return findings.map(({ reason }) => reason);
}
