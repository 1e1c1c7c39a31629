import { afterAll, beforeAll, expect, it } from 'vitest';

import { createLogger } from '../../../src/observability/logger.js';
import type { Answer } from '../../support/answer.js';
import { edited, valueAt } from '../../support/edit-json.js';
import {
  changeRecord,
  matchingRecords,
  recordsOfTenant,
  writeMatchingRecords,
} from '../../support/records.js';
import { requestsOf, type Requests } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

/** Found in a text, and in nothing else. */
const textMark = 'zebra-of-the-constraint';
const objectiveMark = 'walrus-of-the-objective';
const summaryMark = 'heron-of-the-summary';

const logged: string[] = [];
const told: Answer[] = [];
let gate: TestApp;

beforeAll(async () => {
  const logger = createLogger('trace', { write: (line: string) => void logged.push(line) });
  gate = listeningTo(await createTestApp({ logger }));
});

afterAll(() => gate.close());

it('free text of a record is told in a context view and to its readers, and nowhere else', async () => {
  const run = requestsOf('secret');
  const records = recordsOfTenant(gate, run.tenant_id);
  const { constraint, session } = matchingRecords(run);
  const text = { '/text': `Never: ${textMark}` };
  const objective = { '/objective': `Get: ${objectiveMark}` };
  await writeMatchingRecords(gate, run, { without: ['constraint', 'session'] });
  await changeRecord(gate, run, 'constraint', { set: text });
  await changeRecord(gate, run, 'session', { set: objective });

  await putAll(run, [text, objective], { 'if-match': '"9"' }, 412);
  await records.put(constraint.path, edited(constraint.body, { set: { ...text, '/session_id': 'another' } }));
  await changeRecord(gate, run, 'session', { set: { ...objective, '/session_status': 'ended' } });
  await records.put(session.path, edited(session.body, { set: objective }));
  await records.put(session.path, edited(session.body, { set: { ...objective, '/session_epoch': 7 } }));
  await records.put(constraint.path, edited(constraint.body, { set: { ...text, '/more': textMark } }));
  await records.put(constraint.path, edited(constraint.body, { set: { '/text': `${textMark}\u0000` } }));
  await records.put(constraint.path, edited(constraint.body, { set: { '/text': textMark.repeat(2_000) } }));
  await gate.seal(run.sealRequest({ summary: summaryMark }));
  await gate.seal(run.sealRequest());
  const stopped = await gate.rehydrate(resumption(run));
  expect(valueAt(stopped.body, '/findings')).toEqual([
    { reason: 'session_not_active' },
    { reason: 'objective_changed' },
  ]);

  const other = requestsOf('shown');
  await writeMatchingRecords(gate, other, { without: ['constraint'] });
  await changeRecord(gate, other, 'constraint', { set: text });
  await gate.seal(other.sealRequest());
  const resumed = await gate.rehydrate(resumption(other), { 'idempotency-key': 'once' });
  const repeated = await gate.rehydrate(resumption(other), { 'idempotency-key': 'once' });
  for (const { tenant_id, session_id } of [run, other]) await readEverything(tenant_id, session_id);

  for (const answer of [resumed, repeated]) {
    expect(valueAt(answer.body, '/context_view/constraints/0/text')).toBe(text['/text']);
  }
  const readers = [
    await records.get(constraint.path),
    await records.get(session.path),
    await recordsOfTenant(gate, other.tenant_id).get(matchingRecords(other).constraint.path),
  ];
  expect(readers.map(({ status }) => status)).toEqual([200, 200, 200]);

  const tellers = told.filter(({ text: body }) =>
    [textMark, objectiveMark].some((mark) => body.includes(mark)),
  );
  expect(tellers).toEqual([resumed, repeated, ...readers]);
  expect(logged.length).toBeGreaterThan(20);
  expect(logged.filter((line) => marks.some((mark) => line.includes(mark)))).toEqual([]);
  expect(await rowsThatHold(marks)).toEqual(['constraints', 'sessions']);
});

const marks = [textMark, objectiveMark, summaryMark];

/** Remembers every answer. */
function listeningTo(app: TestApp): TestApp {
  const inject: TestApp['inject'] = async (request) => {
    const answer = await app.inject(request);
    told.push(answer);
    return answer;
  };
  const post = (url: string, body: unknown, headers = {}) =>
    inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(body),
    });
  return {
    ...app,
    inject,
    get: (path, parameters = {}) =>
      inject({ method: 'GET', url: `${path}?${new URLSearchParams(parameters).toString()}` }),
    seal: (body) => post('/envelopes', body),
    rehydrate: (body, headers) => post('/rehydrate', body, headers),
  };
}

async function putAll(
  run: Requests,
  [text, objective]: Record<string, string>[],
  headers: Record<string, string>,
  status: number,
): Promise<void> {
  const records = recordsOfTenant(gate, run.tenant_id);
  const { constraint, session } = matchingRecords(run);
  const answers = [
    await records.put(constraint.path, edited(constraint.body, { set: text ?? {} }), headers),
    await records.put(session.path, edited(session.body, { set: objective ?? {} }), headers),
  ];
  expect(answers.map((answer) => answer.status)).toEqual([status, status]);
}

async function readEverything(tenant_id: string, session_id: string): Promise<void> {
  const records = recordsOfTenant(gate, tenant_id);
  for (const path of ['control-state', 'epoch', 'events', 'timeline', 'trace-integrity']) {
    expect((await records.get(`sessions/${session_id}/${path}`)).status).toBe(200);
  }
  expect((await records.get('reconciliations')).status).toBe(200);
  expect((await gate.get('/trace-events', { tenant_id, limit: '1000' })).status).toBe(200);
  const decisions = await gate.query<{ decision_id: string }>(
    'select decision_id from decisions where tenant_id = $1',
    [tenant_id],
  );
  for (const { decision_id } of decisions) {
    expect((await gate.get(`/decisions/${decision_id}`, { tenant_id })).status).toBe(200);
  }
}

/** The tables in which any of the marks stands, whatever the column. */
async function rowsThatHold(texts: readonly string[]): Promise<string[]> {
  const tables = await gate.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await gate.query(`select from ${name} as row where row::text ~ $1 limit 1`, [
      texts.join('|'),
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

/** From records alone. */
function resumption(run: Requests) {
  return run.rehydrateRequest({ current_state: undefined, source_event_range: undefined });
}
