import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { migrate } from '../../../src/store/migrate.js';
import { createEmptyDatabase, query, type TestDatabase } from '../../support/database.js';
import { fillAsRelease, requestsOfRelease, unpackRelease, type Release } from './release-0.1.0.js';
import { startService, type ServiceProcess } from '../../support/service-process.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

let release: Release;

beforeAll(async () => {
  release = await unpackRelease();
});

afterAll(() => release.remove());

it('is not migrated while somebody holds open what they have read of it, and nobody waits for long', async () => {
  const store = await createEmptyDatabase();
  await fillAsRelease(store.connectionString, release);
  const reader = new Client({
    connectionString: store.connectionString,
    options: '-c role=continuity_gate_reader',
  });
  await reader.connect();
  await reader.query('begin');
  await reader.query('select count(*) from trace_events, decisions, approvals');

  await expect(migrate(store.connectionString)).rejects.toMatchObject({ code: 'schema_in_use' });

  await reader.end();
  await migrate(store.connectionString);
  await store.drop();
}, 30_000);

describe('a database that 0.1.0 has filled', () => {
  let store: TestDatabase;
  let gate: TestApp;

  beforeAll(async () => {
    store = await createEmptyDatabase();
    await fillAsRelease(store.connectionString, release);
    await migrate(store.connectionString);
    gate = await createTestApp({ connectionString: store.connectionString });
  });

  afterAll(async () => {
    await gate.close();
    await store.drop();
  });

  it('holds what the tests below are about', async () => {
    expect(await count('envelopes')).toBe(15);
    expect(await count('decisions')).toBe(5);
  });

  it('gives every envelope back to the letter', async () => {
    const sealed = await gate.query<{ tenant_id: string; envelope_id: string; envelope: string }>(
      'select tenant_id, envelope_id, envelope::text from envelopes',
    );
    for (const { tenant_id, envelope_id, envelope } of sealed) {
      const answer = await gate.get(`/envelopes/${envelope_id}`, { tenant_id });
      expect(answer.status).toBe(200);
      expect(answer.text).toContain(envelope);
    }
  });

  it('has every decision made again as it was', async () => {
    const made = await gate.query<{ tenant_id: string; decision_id: string }>(
      'select tenant_id, decision_id from decisions',
    );
    for (const { tenant_id, decision_id } of made) {
      const answer = await gate.get(`/decisions/${decision_id}`, { tenant_id });
      expect(answer.body).toMatchObject({ replayed: { same: true } });
    }
  });

  it('has every chain of events intact', async () => {
    const sessions = await gate.query<{ tenant_id: string; session_id: string; events: number }>(
      'select tenant_id, session_id, trace_sequence::integer as events from session_heads',
    );
    for (const { tenant_id, session_id, events } of sessions) {
      const answer = await gate.get(`/tenants/${tenant_id}/sessions/${session_id}/trace-integrity`);
      expect(answer.body).toMatchObject({ intact: true, events });
    }
  });

  // Last, and in the order in which 0.1.0 was asked: a go moves the epoch on.
  it.each(requestsOfRelease())('resumes as before: $title', async ({ body, wanted }) => {
    const answer = await gate.rehydrate(body);

    const { http, ...decision } = wanted;
    expect([answer.status, answer.body]).toMatchObject([http, decision]);
  });

  async function count(table: string): Promise<number> {
    const [row] = await gate.query<{ rows: number }>(`select count(*)::integer as rows from ${table}`);
    return row?.rows ?? 0;
  }
});

describe('a replica of 0.1.0 that serves on while a newer one has migrated', () => {
  let store: TestDatabase;
  let older: ServiceProcess;
  let newer: TestApp;

  beforeAll(async () => {
    store = await createEmptyDatabase();
    await fillAsRelease(store.connectionString, release);
    older = await startService({ DATABASE_URL: store.connectionString }, release.program);
    await migrate(store.connectionString);
    newer = await createTestApp({ connectionString: store.connectionString });
  });

  afterAll(async () => {
    await older.end('SIGTERM');
    await newer.close();
    await store.drop();
  });

  it('stays ready', async () => {
    expect((await older.ask('GET', '/readyz')).status).toBe(200);
    expect((await newer.get('/readyz')).status).toBe(200);
  });

  it('can be started again', async () => {
    const another = await startService({ DATABASE_URL: store.connectionString }, release.program);
    expect((await another.ask('GET', '/readyz')).status).toBe(200);
    await another.end('SIGTERM');
  });

  it.each(requestsOfRelease())('decides as before: $title', async ({ body, wanted }) => {
    const answer = await older.ask('POST', '/rehydrate', body);

    const { http, ...decision } = wanted;
    expect([answer.status, answer.body]).toMatchObject([http, decision]);
  });

  it('continues the chains that the newer one continues', async () => {
    for (const { body } of requestsOfRelease()) {
      await newer.rehydrate(body);
      await older.ask('POST', '/rehydrate', body);
    }
    const sessions = (await query(
      store.connectionString,
      'select tenant_id, session_id from session_heads',
    )) as { tenant_id: string; session_id: string }[];
    for (const { tenant_id, session_id } of sessions) {
      const answer = await newer.get(`/tenants/${tenant_id}/sessions/${session_id}/trace-integrity`);
      expect(answer.body).toMatchObject({ intact: true });
    }
  });
});
