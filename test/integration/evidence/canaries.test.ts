import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { scopes } from '../../../src/http/auth/scopes.js';
import { createLogger } from '../../../src/observability/logger.js';
import { startTelemetry } from '../../../src/observability/telemetry.js';
import { startCollector } from './collector.js';
import { accessBy, createSigningKey, mint } from '../../support/identity-provider.js';
import { digestOf, requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

/**
 * Words that stand in a summary, an objective, a constraint's text, a token and a header. Each call that the API has is
 * made with them, well and badly; then they are looked for wherever they must not be.
 */
const canaries = {
  summary: `summary-canary-${randomUUID()}`,
  objective: `objective-canary-${randomUUID()}`,
  constraint: `constraint-canary-${randomUUID()}`,
  subjectToken: `token-canary-${randomUUID()}`,
  header: `header-canary-${randomUUID()}`,
  query: `query-canary-${randomUUID()}`,
  /** Stands where only a few values may: the refusal repeats it to the caller, and to nobody else. */
  misplaced: `misplaced-canary-${randomUUID()}`,
};

const requests = requestsOf(randomUUID());
const { tenant_id, session_id } = requests;
const tenant = `/tenants/${tenant_id}`;
const log: string[] = [];
const answers: { call: string; status: number; text: string }[] = [];
let gate: TestApp;
let token: string;
let collector: Awaited<ReturnType<typeof startCollector>>;

beforeAll(async () => {
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      log.push(String(chunk));
      done();
    },
  });
  const key = await createSigningKey('canary-key');
  token = await mint(key, { tenants: [tenant_id], scope: scopes.join(' '), note: canaries.subjectToken });
  collector = await startCollector();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  const telemetry = startTelemetry();
  gate = await createTestApp({
    tracing: telemetry.plugin,
    access: accessBy(key, { attestedState: true }),
    logger: createLogger('trace', sink),
  });
  await everyCall();
  await telemetry.stop();
});

afterAll(async () => {
  await gate.close();
  await collector.close();
  vi.unstubAllEnvs();
});

type Method = 'GET' | 'POST' | 'PUT';

async function call(method: Method, url: string, body?: unknown, headers: Record<string, string> = {}) {
  const { statusCode: status, payload: text } = await gate.app.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${token}`,
      'x-canary': canaries.header,
      'user-agent': canaries.header,
      cookie: `a=${canaries.header}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  answers.push({ call: `${method} ${url}`, status, text });
}

async function everyCall(): Promise<void> {
  const summary_sha256 = digestOf(canaries.summary);
  const session = {
    session_status: 'active',
    principal_id: requests.principal_id,
    authorization_mode: 'platform_owned',
    delegated_principal_id: '',
    delegated_scope: '',
    idempotency_key: requests.idempotency_key,
    checkpoint_ref: 'checkpoint',
    objective: canaries.objective,
  };
  const constraint = {
    session_id,
    text: canaries.constraint,
    forbids_capability: 'close_ticket',
    constraint_status: 'active',
  };
  const seal = {
    ...requests.sealRequest({ envelope: { objective: canaries.objective, summary_sha256 } }),
    summary: canaries.summary,
  };
  const rehydrate = requests.rehydrateRequest({ summary: canaries.summary });

  await call('POST', '/envelopes', seal);
  await call('POST', '/rehydrate', rehydrate, { 'idempotency-key': 'one' });
  await call('POST', '/rehydrate', rehydrate, { 'idempotency-key': 'one' });
  await call('POST', '/rehydrate', { ...rehydrate, summary: `${canaries.summary}!` });
  await call('POST', '/rehydrate', { ...rehydrate, session_epoch: canaries.summary });
  await call('POST', '/rehydrate', `{"summary":"${canaries.summary}"`);
  await call('POST', '/rehydrate', rehydrate, { 'content-type': 'text/plain' });
  await call('POST', '/rehydrate', { ...rehydrate, envelope_id: 'unknown' });
  await call('POST', '/envelopes', { ...seal, summary: `${canaries.summary}?` });
  await call('POST', '/envelopes', {
    ...seal,
    continuity_envelope: { ...seal.continuity_envelope, objective: 7 },
  });
  await call('POST', '/envelopes', {
    ...seal,
    continuity_envelope: {
      ...seal.continuity_envelope,
      envelope_id: 'second',
      objective: `${canaries.objective}\u0000`,
    },
  });
  await call('POST', '/inspect-continuity', {
    continuity_envelope: seal.continuity_envelope,
    current_state: requests.attestedState(),
    summary: canaries.summary,
  });
  await call('PUT', `${tenant}/sessions/${session_id}`, session);
  await call('PUT', `${tenant}/sessions/${session_id}`, { ...session, session_status: 'ended' });
  await call('PUT', `${tenant}/sessions/${session_id}`, { ...session, session_status: 'active' });
  await call('PUT', `${tenant}/sessions/${session_id}`, session, { 'if-match': '"99"' });
  await call('PUT', `${tenant}/constraints/c-1`, constraint);
  await call('PUT', `${tenant}/constraints/c-1`, { ...constraint, text: `${canaries.constraint} changed` });
  await call('PUT', `${tenant}/constraints/c-1`, { ...constraint, session_id: 'another' });
  await call('PUT', `${tenant}/constraints/c-1`, constraint, { 'if-match': '"99"' });
  await call('PUT', `${tenant}/constraints/c-2`, { ...constraint, text: `${canaries.constraint}\u0000` });
  await call('POST', '/rehydrate', { ...rehydrate, current_state: undefined });
  await call('GET', '/envelopes/none', undefined, { authorization: `Bearer ${token}x` });
  await call('GET', `${tenant}/sessions/${session_id}/timeline`);
  await call('GET', `${tenant}/sessions/${session_id}/control-state`);
  await call('GET', `${tenant}/reconciliations`);
  await call('PUT', `${tenant}/sessions/${session_id}`, { ...session, session_status: canaries.misplaced });
  await call('POST', '/rehydrate', { ...rehydrate, [canaries.misplaced]: 1 });
  for (const url of ['/envelopes/none', '/no/such/route', '/healthz', '/trace-events', '/rehydrate']) {
    await call('GET', `${url}?access_token=${token}&tenant_id=${canaries.query}`);
  }
  await call('GET', `/trace-events?tenant_id=${tenant_id}&from=${canaries.query}`);
  // The store refuses a statement whose error would repeat the row.
  await gate.query('alter table constraints add constraint canary_check check (length(text) < 5) not valid');
  await call('PUT', `${tenant}/constraints/c-3`, constraint);
  await gate.query('alter table constraints drop constraint canary_check');
}

const words = Object.entries(canaries);

describe('what callers entrust to the gate', () => {
  it('was sent in calls of every outcome', () => {
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 201, 400, 401, 404, 409, 412, 415, 422, 500]);
  });

  it.each(words)('leaves no %s in the log', (_name, word) => {
    expect(log.length).toBeGreaterThan(50);
    expect(log.filter((line) => line.includes(word))).toEqual([]);
  });

  it.each(words)('leaves no %s in a span', (_name, word) => {
    expect(collector.spans.filter((span) => JSON.stringify(span).includes(word))).toEqual([]);
  });

  it('leaves no token in a span, and tells there what an operator looks for', () => {
    expect(collector.spans.filter((span) => JSON.stringify(span).includes(token.slice(-40)))).toEqual([]);
    const told = collector.spans.flatMap(({ attributes }) => attributes);
    expect(told).toContainEqual({ key: 'url.path', value: { stringValue: '/rehydrate' } });
    expect(told).toContainEqual({ key: 'url.path', value: { stringValue: '/no/such/route' } });
    const exceptions = collector.spans.flatMap(({ events }) =>
      events.flatMap(({ attributes }) => attributes),
    );
    expect(exceptions.map(({ key }) => key)).toContain('exception.type');
    expect(exceptions.map(({ key }) => key)).not.toContain('exception.message');
    const stacks = exceptions.filter(({ key }) => key === 'exception.stacktrace');
    expect(stacks.every(({ value }) => JSON.stringify(value).includes('    at '))).toBe(true);
    const statuses = collector.spans.map(({ status }) => status);
    expect(statuses.filter(({ code }) => code === 2).length).toBeGreaterThan(5);
    expect(statuses.filter(({ message }) => message !== undefined)).toEqual([]);
  });

  it('leaves no token in the log', () => {
    expect(log.filter((line) => line.includes(token.slice(-40)))).toEqual([]);
  });

  it.each(words)('leaves no %s in an event or a decision', async (_name, word) => {
    for (const table of [
      'trace_events',
      'decisions',
      'idempotency_keys',
      'session_heads',
      'approval_bindings',
    ]) {
      const rows = await gate.query(`select 1 from ${table} where ${table}::text like '%' || $1 || '%'`, [
        word,
      ]);
      expect({ table, rows }).toEqual({ table, rows: [] });
    }
  });

  it.each(words)('leaves no %s in the metrics', async (_name, word) => {
    const { text } = await gate.inject({
      method: 'GET',
      url: '/metrics',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(text).toContain('continuity_gate_decisions_total');
    expect(text).not.toContain(word);
  });

  it.each(words.filter(([name]) => name !== 'misplaced'))(
    'leaves no %s in an error or a stop',
    (_name, word) => {
      const told = answers.filter(({ status, text }) => status >= 400 && text.includes(word));
      expect(told).toEqual([]);
    },
  );

  it('keeps a summary nowhere at all', async () => {
    const tables = await gate.query<{ name: string }>(
      `select format('%I', relname) as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    );
    for (const { name } of tables) {
      const rows = await gate.query(`select 1 from ${name} where ${name}::text like '%' || $1 || '%'`, [
        canaries.summary,
      ]);
      expect({ name, rows }).toEqual({ name, rows: [] });
    }
  });

  it('tells an objective and a text only where they are asked for', () => {
    const told = answers
      .filter(({ text }) => text.includes(canaries.objective) || text.includes(canaries.constraint))
      .map(({ call: made, status }) => `${String(status)} ${made}`);
    expect(new Set(told)).toEqual(
      new Set(['201 POST /envelopes', '200 POST /envelopes', '200 POST /rehydrate']),
    );
  });
});
