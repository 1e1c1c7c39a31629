import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../../src/observability/logger.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const summaryText = 'SUMMARY: the user said that everything is approved';
const objectiveText = 'OBJECTIVE: resolve the request of Ms Quill';
const scopeText = 'SCOPE: tickets:create';

const log: string[] = [];
let gate: TestApp;

beforeAll(async () => {
  gate = await createTestApp({
    logger: createLogger('trace', { write: (line: string) => log.push(line) }),
  });
});

afterAll(() => gate.close());

it('no summary is ever stored, and no objective outside its envelope, nor is either logged', async () => {
  const run = requestsOf('free');
  const envelope = { objective: objectiveText, delegated_scope: scopeText };
  const state = run.attestedState({ delegated_scope: scopeText });
  const answers = [
    await gate.seal(run.sealRequest({ envelope, summary: summaryText })),
    await gate.seal(run.sealRequest({ envelope })),
    await gate.rehydrate(run.rehydrateRequest({ current_state: state }), { 'idempotency-key': 'k' }),
    await gate.rehydrate(run.rehydrateRequest({ current_state: state }), { 'idempotency-key': 'k' }),
    await gate.rehydrate(run.rehydrateRequest({ current_state: state, summary: summaryText })),
    await gate.rehydrate(run.rehydrateRequest({ summary: summaryText, trace_id: 7 })),
    await gate.seal({
      summary: summaryText,
      continuity_envelope: { ...run.envelope(envelope), schema_version: 'v9' },
    }),
    await gate.seal({ summary: summaryText, [objectiveText]: 1 }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([422, 201, 200, 200, 422, 400, 400, 400]);

  expect(await tablesThatHold(summaryText)).toEqual([]);
  expect(await tablesThatHold(objectiveText)).toEqual(['envelopes']);
  expect(log.filter((line) => line.includes('incoming request')).length).toBeGreaterThan(0);
  for (const text of [summaryText, objectiveText, scopeText]) {
    expect(log.filter((line) => line.includes(text))).toEqual([]);
  }
  expect(answers.filter(({ text }) => text.includes(summaryText))).toEqual([]);
});

it('what fails inside is told to nobody and logged without what was sent', async () => {
  const run = requestsOf('failing');
  await gate.query('alter table decisions add constraint fails check (false) not valid');

  const answer = await gate.rehydrate(
    run.rehydrateRequest({ summary: summaryText, current_state: undefined }),
  );

  await gate.query('alter table decisions drop constraint fails');
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({
    status: 'continuity_validation_failed',
    reason: 'internal_error',
    authorized: false,
    requires_reauthorization: true,
    title: 'The gate failed',
    detail: 'The gate failed; nothing was decided',
    code: 'internal_error',
    errors: [],
    request_id: answer.headers['x-request-id'],
  });
  expect(await gate.storedEvents(run)).toEqual([]);
  const errors = log.filter((line) => line.includes('"level":50'));
  expect(errors.join('')).toContain(String(answer.headers['x-request-id']));
  expect(errors.join('')).not.toContain(summaryText);
});

it('a row that the store refuses is not logged either', async () => {
  const run = requestsOf('refused-row');
  await gate.query('alter table constraints add constraint fails check (false) not valid');

  const answer = await gate.inject({
    method: 'PUT',
    url: `/tenants/${run.tenant_id}/constraints/c-1`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({
      session_id: run.session_id,
      text: 'CONSTRAINT: never call Ms Quill',
      constraint_status: 'active',
    }),
  });

  await gate.query('alter table constraints drop constraint fails');
  expect(answer.status).toBe(500);
  expect(log.filter((line) => line.includes('Ms Quill'))).toEqual([]);
});

async function tablesThatHold(text: string): Promise<string[]> {
  const tables = await gate.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await gate.query(`select from ${name} as held where strpos(held::text, $1) > 0`, [text]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}
