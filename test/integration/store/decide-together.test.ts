import type { FastifyInstance } from 'fastify';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { buildApp } from '../../../src/http/build-app.js';
import type { Database } from '../../../src/store/database.js';
import { verifyTrace } from '../../../src/app/verify-trace.js';
import { setHeadGuards } from '../../support/head-guards.js';
import { writeMatchingRecords } from '../../support/records.js';
import { requestsOf, type Requests } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { testReceipts } from '../../support/test-receipts.js';
import { openMutant, type Mutant } from '../../races/worker.js';

/** Sessions that ask at the same time, each of a tenant of its own. */
const atOnce = 24;

let store: TestApp;
let made = 0;

beforeAll(async () => {
  store = await createTestApp();
});

afterAll(() => store.close());

it('answers those who share a transaction as if each had come alone', async () => {
  const gate = await openGate('none');
  const runs = await sealedSessions();

  const leaks = await rehydrateTogether(gate, runs);

  expect(leaks).toEqual([]);
  expect(gate.transactions()).toBeLessThan(atOnce / 2);
  await gate.close();
});

it.each(['swapped_answers', 'swapped_writes', 'one_tenant'] satisfies Mutant[])(
  'catches a store with %s',
  async (mutant) => {
    const gate = await openGate(mutant);
    const runs = await sealedSessions();
    await setHeadGuards(store.connectionString, 'disable');

    const leaks = await rehydrateTogether(gate, runs);

    await setHeadGuards(store.connectionString, 'enable');
    await gate.close();
    expect(leaks).not.toEqual([]);
  },
);

it('lets one that fails fail alone', async () => {
  const gate = await openGate('none');
  const runs = await sealedSessions();
  // Each of them is within its limit, and together they are more than a key of the store can hold.
  const long = { tenant_id: noise(1_024), session_id: noise(1_024) };

  const [failed, ...answers] = await Promise.all([
    gate.rehydrate({ ...requestsOf('long').rehydrateRequest({ current_state: undefined }), ...long }),
    ...runs.map((run) => gate.rehydrate(request(run))),
  ]);

  expect(failed.json()).toMatchObject({ reason: 'schema_invalid' });
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(runs.map(() => 200));
  await gate.close();
});

it('lets nobody wait for a session that another transaction holds, but those who ask for it', async () => {
  const gate = await openGate('none');
  const runs = await sealedSessions();
  const [held] = runs;
  const holder = new Client({ connectionString: store.connectionString });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from session_heads where tenant_id = $1 for update', [held?.tenant_id]);

  const [waiting, ...others] = runs.map((run) => gate.rehydrate(request(run)));
  const answers = await Promise.all(others);
  await holder.query('rollback');
  await holder.end();

  expect(answers.map(({ statusCode }) => statusCode)).toEqual(others.map(() => 200));
  expect((await waiting)?.statusCode).toBe(200);
  await gate.close();
});

it('sends one session after the other, and one Idempotency-Key after the other', async () => {
  const gate = await openGate('none');
  const [run, other] = await sealedSessions();
  if (!run || !other) throw new Error('There are no sessions');
  const key = { 'idempotency-key': 'one' };

  const [first, second, reused] = await Promise.all([
    gate.rehydrate(request(run), key),
    gate.rehydrate(request(run), key),
    gate.rehydrate({ ...request(other), tenant_id: run.tenant_id }, key),
  ]);

  expect(first.json<{ decision_id: string }>().decision_id).toBe(
    second.json<{ decision_id: string }>().decision_id,
  );
  expect(reused.json()).toMatchObject({ code: 'idempotency_key_reused' });
  await gate.close();
});

it('changes nothing when the decision throws', async () => {
  const [run] = await sealedSessions();
  if (!run) throw new Error('There is no session');
  const names: string[] = [];
  const gate = await openGate('none');
  const before = await store.storedEvents(run);

  const failed = gate.database.decide({ session: run, envelope_id: run.envelope_id }, () => {
    names.push('decided');
    throw new Error('It can not be decided');
  });

  await expect(failed).rejects.toThrow('It can not be decided');
  expect(names).toEqual(['decided']);
  expect(await store.storedEvents(run)).toEqual(before);
  await gate.close();
});

type Answer = Awaited<ReturnType<FastifyInstance['inject']>>;

interface OpenGate {
  readonly database: Database;
  rehydrate(body: object, headers?: Record<string, string>): Promise<Answer>;
  /** How many there were so far. */
  transactions(): number;
  close(): Promise<void>;
}

async function openGate(mutant: Mutant): Promise<OpenGate> {
  const database = openMutant(mutant, { connectionString: store.connectionString });
  const app = await buildApp({
    database,
    schemaVersion: 0,
    access: { mode: 'open', attestedState: true, hostNames: undefined },
    receipts: await testReceipts(),
  });
  let transactions = 0;
  database.observeTransactions(() => {
    transactions += 1;
  });
  return {
    database,
    rehydrate: async (payload, headers = {}) =>
      app.inject({ method: 'POST', url: '/rehydrate', payload, headers }),
    transactions: () => transactions,
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}

async function sealedSessions(): Promise<Requests[]> {
  made += 1;
  const runs = Array.from({ length: atOnce }, (_, index) => requestsOf(`t${made}-${index}`));
  for (const run of runs) {
    await writeMatchingRecords(store, run);
    const { status, text } = await store.seal(run.sealRequest());
    if (status !== 201) throw new Error(`An envelope was not sealed: ${text}`);
  }
  return runs;
}

function request(run: Requests) {
  return run.rehydrateRequest({ current_state: undefined });
}

/** Resumes all sessions at the same time; returns what of the answers and of the store is not as it would be alone. */
async function rehydrateTogether(gate: OpenGate, runs: readonly Requests[]): Promise<string[]> {
  const answers = await Promise.all(runs.map((run) => gate.rehydrate(request(run))));
  const faults = await Promise.all(
    runs.map(async (run, index) => {
      const answer = answers[index];
      const integrity = await verifyTrace(store.database, run);
      const written = JSON.stringify(await store.query(everythingOf, [run.session_id]));
      return [
        answer?.statusCode === 200 ? '' : `${run.session_id}: ${answer?.payload ?? ''}`,
        namesAnother(run, answer?.payload ?? '') ? `${run.session_id} is told of another` : '',
        namesAnother(run, written) ? `${run.session_id} has what is another's` : '',
        integrity?.intact === true ? '' : `${run.session_id} has a broken chain`,
      ];
    }),
  );
  return faults.flat().filter((fault) => fault !== '');
}

const everythingOf = `
  select to_json(events) as row from trace_events as events where session_id = $1
  union all select to_json(heads) from session_heads as heads where session_id = $1
  union all select to_json(decided) from decisions as decided where session_id = $1`;

/** Whether a text holds an id of another of the sessions. */
function namesAnother({ session_id }: Requests, text: string): boolean {
  const own = session_id.replace(/session$/, '');
  return (text.match(/\bt\d+-\d+-/g) ?? []).some((prefix) => prefix !== own);
}

/** Text that no compression makes shorter. */
function noise(length: number): string {
  return Array.from({ length }, () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000))).join(
    '',
  );
}
