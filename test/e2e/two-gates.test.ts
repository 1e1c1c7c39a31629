import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Answer } from '../support/answer.js';
import { createEmptyDatabase, createTestDatabase, query, type TestDatabase } from '../support/database.js';
import { matchingEvents, matchingRecords } from '../support/records.js';
import { requestsOf } from '../support/requests.js';
import { startService, type ServiceProcess } from '../support/service-process.js';

/**
 * Two gates in processes of their own, asked at the same moment for what nobody has asked before: whatever orders them is in
 * the database. Each kind of head is made by one of the two, and the other one has to see what was written behind it.
 */

const rounds = 12;

let store: TestDatabase;
let gates: [ServiceProcess, ServiceProcess];

beforeAll(async () => {
  store = await createTestDatabase();
  const settings = { DATABASE_URL: store.connectionString };
  gates = await Promise.all([startService(settings), startService(settings)]);
});

afterAll(async () => {
  await Promise.all(gates.map((gate) => gate.end('SIGTERM')));
  await store.drop();
});

describe("the first write of a tenant's head", () => {
  it('is one of two that say the same', () =>
    inRounds(async (prefix) => {
      const answers = await both('PUT', `/tenants/${prefix}/policy`, { policy_version: 'v1' });

      expect(statuses(answers)).toEqual([200, 201]);
      expect(answers.map(({ body }) => body)).toEqual([first, first]);
      await expectChain(prefix, null, 1);
    }));

  it('is followed by the other one of two that differ', () =>
    inRounds(async (prefix) => {
      const answers = await each([
        ['PUT', `/tenants/${prefix}/policy`, { policy_version: 'v1' }],
        ['PUT', `/tenants/${prefix}/policy`, { policy_version: 'v2' }],
      ]);

      expect(statuses(answers)).toEqual([200, 201]);
      expect(answers.map((answer) => answer.body).toSorted(byRevision)).toMatchObject([
        { revision: 1 },
        { revision: 2 },
      ]);
      await expectChain(prefix, null, 2);
    }));

  const first = expect.objectContaining({ policy_version: 'v1', revision: 1 }) as unknown;
});

describe("the first write of a session's head", () => {
  it('by its record', () =>
    inRounds(async (prefix) => {
      const run = requestsOf(prefix);
      const { path, body } = matchingRecords(run).session;

      expect(statuses(await both('PUT', `/tenants/${run.tenant_id}/${path}`, body))).toEqual([200, 201]);
      await expectChain(run.tenant_id, run.session_id, 1);
    }));

  it('by its event log', () =>
    inRounds(async (prefix) => {
      const run = requestsOf(prefix);
      const path = `/tenants/${run.tenant_id}/sessions/${run.session_id}/events`;

      expect(statuses(await both('POST', path, matchingEvents(run)))).toEqual([200, 201]);
      await expectChain(run.tenant_id, run.session_id, 1);
    }));

  it('by an envelope', () =>
    inRounds(async (prefix) => {
      const run = requestsOf(prefix);

      const answers = await both('POST', '/envelopes', run.sealRequest());

      // The first answer again is the first answer.
      expect(answers[0].text).toBe(answers[1].text);
      expect(statuses(answers)).toEqual([200, 201]);
      await expectChain(run.tenant_id, run.session_id, 1);
    }));

  it('by two envelopes, of which the second carries on the first', () =>
    inRounds(async (prefix) => {
      const run = requestsOf(prefix);
      const other = { envelope_id: `${prefix}-other`, exact_constraint_refs: [] };

      const answers = await each([
        ['POST', '/envelopes', run.sealRequest()],
        ['POST', '/envelopes', run.sealRequest({ envelope: other })],
      ]);

      // Whoever comes second and drops the constraint of the first is refused; the other way round nothing is dropped.
      expect([
        [201, 422],
        [201, 201],
      ]).toContainEqual(statuses(answers));
      await expectChain(run.tenant_id, run.session_id, 2);
    }));

  it('by a resumption of what nobody has sealed', () =>
    inRounds(async (prefix) => {
      const run = requestsOf(prefix);

      expect(statuses(await both('POST', '/rehydrate', run.rehydrateRequest()))).toEqual([404, 404]);
      await expectChain(run.tenant_id, run.session_id, 2);
    }));
});

describe('what is ordered behind heads', () => {
  it('one go an epoch, and the other one is told that it came too late', () =>
    inRounds(async (prefix) => {
      const run = requestsOf(prefix);
      await gates[0].ask('POST', '/envelopes', run.sealRequest());

      const answers = await both('POST', '/rehydrate', run.rehydrateRequest({ session_epoch: 0 }));

      expect(statuses(answers)).toEqual([200, 422]);
      expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({ reason: 'stale_epoch' });
      await expectChain(run.tenant_id, run.session_id, 3);
    }));

  it('one settlement of an unknown effect', () =>
    inRounds(async (prefix) => {
      const run = requestsOf(prefix);
      const { path, body } = matchingRecords(run).side_effect;
      await gates[0].ask('PUT', `/tenants/${run.tenant_id}/${path}`, {
        ...body,
        side_effect_status: 'side_effect_unknown',
      });
      const settled = (outcome: string) =>
        [
          'POST',
          `/tenants/${run.tenant_id}/${path}/reconciliation`,
          { outcome, evidence_refs: ['ticket:1'], reconciled_by: 'somebody' },
        ] as const;

      const answers = await each([settled('side_effect_committed'), settled('not_started')]);

      expect(statuses(answers)).toEqual([200, 409]);
      await expectChain(run.tenant_id, run.session_id, 2);
    }));

  it('one action for an approval and an effect of different sessions', () =>
    inRounds(async (prefix) => {
      const run = requestsOf(prefix);
      const { approval, side_effect } = matchingRecords(run);

      const answers = await each([
        ['PUT', `/tenants/${run.tenant_id}/${approval.path}`, approval.body],
        [
          'PUT',
          `/tenants/${run.tenant_id}/${side_effect.path}`,
          { ...side_effect.body, session_id: 'another' },
        ],
      ]);

      expect(statuses(answers)).toEqual([201, 409]);
    }));
});

describe('what two processes do at their start', () => {
  it('makes an empty database one that serves', () =>
    inRounds(async () => {
      const empty = await createEmptyDatabase();
      const pair = await Promise.all(
        [1, 2].map(() => startService({ DATABASE_URL: empty.connectionString })),
      );

      expect(await Promise.all(pair.map(async (gate) => (await gate.ask('GET', '/readyz')).status))).toEqual([
        200, 200,
      ]);

      await Promise.all(pair.map((gate) => gate.end('SIGTERM')));
      await empty.drop();
    }, 2));
});

type Call = readonly [method: string, path: string, body: unknown];

function each(calls: readonly [Call, Call]): Promise<[Answer, Answer]> {
  return Promise.all([gates[0].ask(...calls[0]), gates[1].ask(...calls[1])]);
}

function both(...call: Call): Promise<[Answer, Answer]> {
  return each([call, call]);
}

function statuses(answers: readonly Answer[]): number[] {
  return answers.map(({ status }) => status).toSorted();
}

function byRevision(one: unknown, other: unknown): number {
  return revisionOf(one) - revisionOf(other);
}

function revisionOf(body: unknown): number {
  return (body as { revision: number }).revision;
}

/** The chain holds so many events, numbered from one on, each linked to the one before, and its head stands at the last. */
async function expectChain(tenant: string, session: string | null, length: number): Promise<void> {
  const literal = (text: string) => `'${text}'`;
  const where = `tenant_id = ${literal(tenant)} and session_id is not distinct from ${session === null ? 'null' : literal(session)}`;
  const events = (await query(
    store.connectionString,
    `select sequence::integer, previous_sha256, event_sha256 from trace_events where ${where} order by sequence`,
  )) as { sequence: number; previous_sha256: string; event_sha256: string }[];
  expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length }, (_, index) => index + 1));
  expect(events.slice(1).map(({ previous_sha256 }) => previous_sha256)).toEqual(
    events.slice(0, -1).map(({ event_sha256 }) => event_sha256),
  );
  const table = session === null ? 'tenant_heads' : 'session_heads';
  const heads = await query(
    store.connectionString,
    `select trace_sequence::integer, trace_sha256 from ${table} where ${session === null ? `tenant_id = ${literal(tenant)}` : where}`,
  );
  expect(heads).toEqual([{ trace_sequence: length, trace_sha256: events.at(-1)?.event_sha256 }]);
}

/** Each round with ids that nobody has used. */
async function inRounds(round: (prefix: string) => Promise<void>, count = rounds): Promise<void> {
  for (let done = 0; done < count; done += 1) await round(randomUUID());
}
