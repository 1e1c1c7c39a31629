import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { linkEvent } from '../../../src/app/session-chain.js';
import { KeyTooLongError, RuleBrokenError, StoreUnavailableError } from '../../../src/app/store-errors.js';
import type { Changes, Known, Locked, Question, Store, Transaction } from '../../../src/app/store.js';
import type { RecordToWrite, StoredDecision, StoredEnvelope } from '../../../src/app/stored.js';
import { decide } from '../../../src/domain/decide.js';
import { envelopeDigest } from '../../../src/domain/envelope/sealed.js';
import { parseSealRequest } from '../../../src/domain/requests.js';
import type { ChainKey, SessionKey, TenantKey } from '../../../src/domain/session-key.js';
import { chainSessionEvent, type LoggedEvent } from '../../../src/domain/session-event.js';
import { chainEvent, chainStart, noSubject, type TraceEvent } from '../../../src/domain/trace-event.js';
import { Database } from '../../../src/store/database.js';
import { transactionOf } from '../../../src/store/transaction.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { requestsOf } from '../../support/requests.js';
import { eventually } from '../../support/trace-pages.js';

/**
 * What `src/app/store.ts` promises, method by method, of the store on Postgres. How long anything may take, and how it is
 * told when it takes longer, is in `database.test.ts`.
 */

let database: TestDatabase;
let store: Store & { close(): Promise<void> };
/** The methods that were called: one that no test calls is promised and not proved. */
const called = new Set<string>();

beforeAll(async () => {
  database = await createTestDatabase();
  store = noting(new Database({ connectionString: database.connectionString }));
});

afterAll(async () => {
  await store.close();
  await database.drop();
});

describe('a transaction', () => {
  it('is durable when it has resolved, and nobody sees anything of it before', async () => {
    const session = newSession();

    await inTenant(session, async (transaction) => {
      await makeHead(transaction, session);
      expect(await epochOf(session)).toBeUndefined();
    });

    expect(await epochOf(session)).toEqual({ session_epoch: 0, held_by: null, held_since: null });
  });

  it('is all or nothing: with an error of its work nothing happened, and the error is passed on', async () => {
    const session = newSession();
    const fault = new Error('a fault');

    const failed = inTenant(session, async (transaction) => {
      await makeHead(transaction, session);
      throw fault;
    });

    await expect(failed).rejects.toBe(fault);
    expect(await epochOf(session)).toBeUndefined();
  });

  it('is all or nothing: with an unawaited write that fails nothing happened', async () => {
    const session = newSession();
    const unknown = effectOf(session, 'side_effect_unknown');
    await inTenant(session, (transaction) => transaction.saveRecord(unknown));

    const failed = store.transact(session, async (transaction) => {
      await makeHead(transaction, session);
      return {
        result: undefined,
        // Unknown is left by a reconciliation only.
        writes: [transaction.saveRecord(effectOf(session, 'side_effect_committed'))],
      };
    });

    await expect(failed).rejects.toBeInstanceOf(RuleBrokenError);
    expect(await epochOf(session)).toBeUndefined();
  });

  it('has its statements take effect in the order in which they are called, awaited or not', async () => {
    const session = newSession();
    const effect = effectOf(session, 'not_started');

    const [, record] = await inTenant(session, (transaction) =>
      Promise.all([transaction.saveRecord(effect), transaction.findRecord(effect)]),
    );

    expect(record).toMatchObject({ fields: { side_effect_status: 'not_started' } });
  });

  it('sees with each statement what was committed before that was sent', async () => {
    const session = newSession();

    const seen = await inTenant(session, async (transaction) => {
      const before = await transaction.readSessionEpoch(session);
      await inTenant(session, (other) => makeHead(other, session));
      return [before, await transaction.readSessionEpoch(session)];
    });

    expect(seen).toEqual([undefined, { session_epoch: 0, held_by: null, held_since: null }]);
  });

  it('sees nothing of another tenant, whatever its keys say, and writes nothing there', async () => {
    const [ours, theirs] = [newSession(), newSession()];
    await inTenant(theirs, (transaction) => makeHead(transaction, theirs));

    expect(await inTenant(ours, (transaction) => transaction.readSessionEpoch(theirs))).toBeUndefined();
    await expect(
      inTenant(ours, (transaction) => makeHead(transaction, { ...theirs, session_id: 'another' })),
    ).rejects.toThrow();
  });

  it('gets its turn at a head in the order of arrival, and waits for no other head', async () => {
    const [session, other] = [newSession(), newSession()];
    const order: number[] = [];
    const { promise: left, resolve: leave } = withResolvers();
    const first = store.transactInTurn(session, async () => {
      await left;
      return { result: undefined };
    });

    const others = [1, 2, 3].map((place) =>
      store.transactInTurn(session, () => Promise.resolve({ result: order.push(place) })),
    );
    const elsewhere = [
      await store.transactInTurn(other, () => Promise.resolve({ result: 'served' })),
      await store.transactInTurn({ ...session, session_id: null }, () =>
        Promise.resolve({ result: 'served' }),
      ),
    ];
    expect([elsewhere, order]).toEqual([['served', 'served'], []]);
    leave();
    await Promise.all([first, ...others]);

    expect(order).toEqual([1, 2, 3]);
  });

  it('tells when identifiers are too long together', async () => {
    const session = { tenant_id: noise(), session_id: noise() };

    await expect(inTenant(session, (transaction) => makeHead(transaction, session))).rejects.toThrow(
      KeyTooLongError,
    );
  });

  it('tells when the store is gone', async () => {
    const gone = new Database({ connectionString: 'postgres://postgres@127.0.0.1:1/none' });

    await expect(
      gone.transact({ tenant_id: 't' }, async (tx) => ({ result: await tx.readClock() })),
    ).rejects.toThrow(StoreUnavailableError);
    await expect(gone.schemaVersion()).rejects.toThrow(StoreUnavailableError);
    await gone.close();
  });
});

describe("a session's head", () => {
  it('is written back as it is', async () => {
    const session = newSession();
    await inTenant(session, (transaction) => makeHead(transaction, session));
    const head = {
      session_epoch: 3,
      held_by: 'runtime-1',
      held_since: '2026-03-01T10:00:00.123456Z',
      newest_envelope_id: null,
      has_records: true,
      events: { sequence: 5, sha256: 'e'.repeat(64) },
      trace: { sequence: 7, sha256: 't'.repeat(64) },
    };

    await inTenant(session, (transaction) => transaction.saveSessionHead(session, head));

    expect((await inTenant(session, (transaction) => makeHead(transaction, session))).head).toEqual(head);
    const back = { ...head, session_epoch: 2 };
    await expect(
      inTenant(session, (transaction) => transaction.saveSessionHead(session, back)),
    ).rejects.toThrow(RuleBrokenError);
    expect(await epochOf(session)).toMatchObject({ session_epoch: 3 });
  });

  it('is locked until the transaction ends, and what is read behind the lock is what was committed', async () => {
    await expectLocked(newSession(), (transaction, session, read) => transaction.lockSession(session, read));
  });

  it('is read without waiting for its lock', async () => {
    const session = newSession();
    await inTenant(session, (transaction) => makeHead(transaction, session));

    await inTenant(session, async (transaction) => {
      await makeHead(transaction, session);
      expect(await epochOf(session)).toMatchObject({ session_epoch: 0 });
    });
  });

  it('is made where there is none, and what is read behind it is read again', async () => {
    const session = newSession();
    let reads = 0;

    const locked = await inTenant(session, (transaction) =>
      transaction.lockSession(session, () => Promise.resolve((reads += 1))),
    );

    expect(locked).toMatchObject({
      head: { session_epoch: 0, newest_envelope_id: null, has_records: false },
      found: 2,
    });
  });
});

describe("a session's owner", () => {
  it('is whom its record names, and whom its newest envelope names', async () => {
    const run = asked();
    const { session, given } = run;
    const owner = () => inTenant(session, (transaction) => transaction.readSessionOwner(session));
    expect(await owner()).toBeUndefined();
    await store.decide(run.question, (known) => ({ result: undefined, changes: sealing(run, known) }));
    const sealed = { recorded: null, sealed: given.principal_id, has_records: false };
    expect(await owner()).toEqual(sealed);

    await inTenant(session, (transaction) => transaction.saveRecord(recordOf(session, 'user-42')));

    expect(await owner()).toEqual({ ...sealed, recorded: 'user-42' });
  });
});

describe("a tenant's head", () => {
  it('is made once, locked and written back', async () => {
    const tenant = newSession();
    const head = (transaction: Transaction) =>
      transaction.lockTenant(tenant, nothing).then((locked) => locked.head);
    const tip = { sequence: 2, sha256: 'a'.repeat(64) };

    await inTenant(tenant, async (transaction) => {
      expect(await head(transaction)).toEqual({ sequence: 0, sha256: chainStart });
      await transaction.saveTenantHead(tenant, tip);
    });

    expect(await inTenant(tenant, head)).toEqual(tip);
    await expect(
      inTenant(tenant, (transaction) => transaction.saveTenantHead(tenant, { ...tip, sequence: 1 })),
    ).rejects.toThrow(RuleBrokenError);
  });

  it('is locked until the transaction ends', async () => {
    await expectLocked(newSession(), (transaction, tenant, read) => transaction.lockTenant(tenant, read));
  });
});

describe('the clock', () => {
  it('is read when the statement runs, to the microsecond', async () => {
    const [first, second] = await inTenant(newSession(), async (transaction) => [
      await transaction.readClock(),
      await transaction.readClock(),
    ]);

    expect(first).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect([first, second].toSorted()).toEqual([first, second]);
    expect(second).not.toBe(first);
  });
});

describe('records', () => {
  it('are written whole and counted, and found by their key', async () => {
    const session = newSession();
    const key = { name: 'policy', tenant_id: session.tenant_id, keys: {} } as const;
    expect(await inTenant(session, (transaction) => transaction.findRecord(key))).toBeUndefined();

    const written = await inTenant(session, async (transaction) => [
      await transaction.saveRecord({ ...key, fields: { policy_version: 'v1' } }),
      await transaction.saveRecord({ ...key, fields: { policy_version: 'v2' } }),
    ]);

    expect(written).toMatchObject([
      { fields: { policy_version: 'v1' }, revision: 1 },
      { fields: { policy_version: 'v2' }, revision: 2 },
    ]);
    expect(await inTenant(session, (transaction) => transaction.findRecord(key))).toEqual(written[1]);
  });

  it('are found by the links of a kind, in their order', async () => {
    const session = newSession();
    const effect = effectOf(session, 'not_started');
    expect(await inTenant(session, (transaction) => transaction.findLinked(effect))).toEqual([
      undefined,
      undefined,
    ]);
    await inTenant(session, async (transaction) => {
      await transaction.saveRecord(effect);
      await transaction.saveRecord(approvalOf(session));
    });

    expect(
      await inTenant(session, (transaction) =>
        transaction.findLinked({ ...effect, keys: { idempotency_key: 'another' } }),
      ),
    ).toEqual([
      { idempotency_key: 'intent-1' },
      { session_id: session.session_id, capability_name: 'create_ticket', action_digest: 'sha256:action' },
    ]);
  });

  it('are refused where they change what never changes, or go where their status may not', async () => {
    const session = newSession();
    await inTenant(session, (transaction) =>
      transaction.saveRecord(effectOf(session, 'side_effect_committed')),
    );

    for (const refused of [
      effectOf({ ...session, session_id: 'another' }, 'side_effect_committed'),
      effectOf(session, 'not_started'),
    ]) {
      await expect(inTenant(session, (transaction) => transaction.saveRecord(refused))).rejects.toThrow(
        RuleBrokenError,
      );
    }
  });

  it('of sessions lead back where one descends from itself', async () => {
    const parent = newSession();
    const child = { ...parent, session_id: `${parent.session_id}-child` };
    const record = recordOf(child, 'user-42');
    const fields = { ...record.fields, parent_session_id: parent.session_id };
    await inTenant(child, (transaction) => transaction.saveRecord({ ...record, fields }));

    const answers = await inTenant(parent, (transaction) =>
      Promise.all(
        [[parent.session_id], [child.session_id], ['another'], []].map((ancestors) =>
          transaction.leadsBack(parent, ancestors),
        ),
      ),
    );

    expect(answers).toEqual([true, true, false, false]);
  });

  it('are assembled to the state of a session', async () => {
    const session = newSession();
    const { tenant_id } = session;
    expect(await inTenant(session, (transaction) => transaction.readAssembledState(session))).toBeUndefined();
    await inTenant(session, async (transaction) => {
      await transaction.saveRecord(recordOf(session, 'user-42'));
      await transaction.saveRecord(effectOf(session, 'not_started'));
    });

    expect(await inTenant(session, (transaction) => transaction.readAssembledState(session))).toMatchObject({
      tenant_id,
      principal_id: 'user-42',
      policy_version: null,
      capability_name: 'create_ticket',
      approval_status: null,
      side_effect_status: 'not_started',
    });
  });
});

describe('reconciliations', () => {
  it('let an effect leave unknown, and the last one is found', async () => {
    const session = newSession();
    const effect = { tenant_id: session.tenant_id, idempotency_key: 'intent-1' };
    await inTenant(session, (transaction) =>
      transaction.saveRecord(effectOf(session, 'side_effect_unknown')),
    );
    expect(await inTenant(session, (transaction) => transaction.findReconciliation(effect))).toBeUndefined();
    const settled = { outcome: 'not_started', evidence_refs: ['receipt'], reconciled_by: 'me' } as const;

    await inTenant(session, async (transaction) => {
      const reconciled_at = await transaction.readClock();
      await transaction.insertReconciliation(effect, { ...settled, revision: 2, reconciled_at });
      await transaction.saveRecord(effectOf(session, 'not_started'));
      await transaction.saveRecord(effectOf(session, 'side_effect_unknown'));
      await transaction.insertReconciliation(effect, {
        ...settled,
        reconciled_by: 'you',
        revision: 4,
        reconciled_at,
      });
      await transaction.saveRecord(effectOf(session, 'not_started'));
    });

    expect(await inTenant(session, (transaction) => transaction.findReconciliation(effect))).toEqual({
      ...settled,
      reconciled_by: 'you',
    });
  });

  it('are waited for by the unknown effects of the tenant, oldest first', async () => {
    const session = newSession();
    const keys = ['b', 'c', 'a'];
    for (const key of keys)
      await inTenant(session, (transaction) =>
        transaction.saveRecord(effectOf(session, 'side_effect_unknown', key)),
      );
    await inTenant(session, (transaction) => transaction.saveRecord(effectOf(session, 'not_started', 'd')));
    const { tenant_id } = session;
    const waiting = (limit: number, principals: string[] | null = null) =>
      inTenant(session, (transaction) =>
        transaction.readUnknownEffects({ tenant_id, principals }, { limit }),
      );

    expect((await waiting(10)).map(({ idempotency_key }) => idempotency_key)).toEqual(keys);
    expect(await waiting(2)).toMatchObject([{ idempotency_key: 'b', session_id: session.session_id }, {}]);
    expect(await waiting(10, ['nobody'])).toEqual([]);
    expect(await store.unresolvedEffects()).toMatchObject({ oldestSeconds: expect.any(Number) as number });
  });
});

describe('the event log of a session', () => {
  it('holds events at their places, and is read from behind one', async () => {
    const session = newSession();
    const events = logOf(4);
    await inTenant(session, (transaction) => transaction.insertSessionEvents(session, events));

    const [found, page, none] = await inTenant(session, (transaction) =>
      Promise.all([
        transaction.findSessionEvents(session, ['event-3', 'event-1', 'event-9']),
        transaction.readSessionEvents(session, { after: 1, limit: 2 }),
        transaction.readSessionEvents({ ...session, session_id: 'another' }, { after: 0, limit: 2 }),
      ]),
    );

    expect(new Set(found)).toEqual(new Set([events[0], events[2]]));
    expect(page).toEqual(events.slice(1, 3));
    expect(none).toEqual([]);
  });
});

describe('the trace', () => {
  it.each([
    ['a session', 'session-1'],
    ['a tenant', null],
  ])('holds the chain of %s, in its order', async (_whose, session_id) => {
    const chain = { tenant_id: randomUUID(), session_id };
    const events = chainOf(chain, 4);
    // In whichever order they are written.
    await inTenant(chain, async (transaction) => {
      for (const event of events.toReversed()) await transaction.insertTraceEvent(event);
    });

    const read = (after: number, limit: number) =>
      inTenant(chain, (transaction) => transaction.readChain(chain, { after, limit }));

    expect(await read(0, 10)).toEqual(events);
    expect(await read(1, 2)).toEqual(events.slice(1, 3));
  });

  it('never parts events that share a sequence', async () => {
    const chain = newSession();
    const [first, second] = chainOf(chain, 2);
    const twins = [first, { ...first, occurred_at: first?.occurred_at.replace('000Z', '001Z') }].map(
      (event) => ({ ...event, event_id: randomUUID() }) as TraceEvent,
    );
    await inTenant(chain, async (transaction) => {
      for (const event of [...twins, second]) if (event) await transaction.insertTraceEvent(event);
    });

    const page = await inTenant(chain, (transaction) => transaction.readChain(chain, { after: 0, limit: 1 }));

    expect(new Set(page)).toEqual(new Set(twins));
  });

  it('tells where a chain begins and ends', async () => {
    const session = newSession();
    const bounds = () => inTenant(session, (transaction) => transaction.readChainBounds(session));
    expect(await bounds()).toBeUndefined();
    await inTenant(session, (transaction) => makeHead(transaction, session));
    const start = { sequence: 0, sha256: chainStart };
    expect(await bounds()).toEqual({ recorded: start, anchor: start, last_sequence: null });

    await inTenant(session, async (transaction) => {
      for (const event of chainOf(session, 3)) await transaction.insertTraceEvent(event);
    });

    expect(await bounds()).toEqual({ recorded: start, anchor: start, last_sequence: 3 });
  });

  it('is read in pages, in the order in which its transactions began, by any filter', async () => {
    const session = newSession();
    const other = { ...session, session_id: 'another' };
    const [one, two, three] = [chainOf(session, 2), chainOf(other, 1), chainOf(session, 3).slice(2)];
    for (const events of [one, two, three])
      await inTenant(session, async (transaction) => {
        for (const event of events) await transaction.insertTraceEvent(event);
      });
    const { tenant_id } = session;
    const read = (
      filter: object,
      limit: number,
      after: Parameters<Transaction['readTraceEvents']>[1]['after'] = null,
    ) =>
      inTenant(session, (transaction) =>
        transaction.readTraceEvents({ tenant_id, principals: null, ...filter }, { limit, after }),
      );

    await eventually(async () => {
      const page = await read({}, 3);
      expect(page.events).toEqual([...one, ...two]);
      expect(await read({}, 3, page.next)).toEqual({ events: three, next: null });
      expect((await read({ session_id: 'another' }, 9)).events).toEqual(two);
    });
    expect((await read({ event_type: 'reset_boundary' }, 9)).events).toEqual([]);
    expect((await read({ principals: ['nobody'] }, 9)).events).toEqual([]);
  });

  it('is read up to the oldest open transaction that may still commit an event', async () => {
    const early = newSession();
    const late = { ...early, session_id: 'session-2' };
    const read = () =>
      inTenant(early, (transaction) =>
        transaction.readTraceEvents(
          { tenant_id: early.tenant_id, principals: null },
          { limit: 9, after: null },
        ),
      );

    await inTenant(early, async (transaction) => {
      for (const event of chainOf(early, 1)) await transaction.insertTraceEvent(event);
      await inTenant(late, async (other) => {
        for (const event of chainOf(late, 1)) await other.insertTraceEvent(event);
      });
      expect((await read()).events).toEqual([]);
    });

    await eventually(async () => {
      expect((await read()).events.map(({ session_id }) => session_id)).toEqual([
        early.session_id,
        late.session_id,
      ]);
    });
  });
});

describe('a decision', () => {
  it('is made of what is known behind the lock, and everything that it changes is written', async () => {
    const run = asked();
    let first: Known | undefined;

    const sealed = await store.decide(run.question, (known) => {
      first = known;
      const changes = sealing(run, known);
      return { result: changes.envelope, changes };
    });

    expect(first).toMatchObject({
      head: { session_epoch: 0, newest_envelope_id: null },
      envelope: undefined,
    });
    expect(first?.kept).toBeUndefined();
    expect(first?.recorded).toMatchObject({ holdsRecords: false });
    const { tenant_id, envelope_id } = sealed;
    const [envelope, events] = await inTenant(run.session, (transaction) =>
      Promise.all([
        transaction.findEnvelope({ tenant_id, envelope_id }),
        transaction.readChain(run.session, { after: 0, limit: 9 }),
      ]),
    );
    expect(envelope).toEqual({ ...sealed, newest_envelope_id: envelope_id });
    expect(events).toMatchObject([{ event_id: sealed.trace_event.event_id, sequence: 1 }]);
    const missing = { tenant_id, envelope_id: 'another' };
    expect(await inTenant(run.session, (transaction) => transaction.findEnvelope(missing))).toBeUndefined();
  });

  it('is kept under its Idempotency-Key, as it was stored', async () => {
    const run = asked();
    await store.decide(run.question, (known) => ({ result: undefined, changes: sealing(run, known) }));
    const id = randomUUID();
    const made = await store.decide(claiming(run, id), (known) => {
      const changes = stopping(run, known, id);
      return { result: changes.decision, changes };
    });

    const again = await store.decide(claiming(run, randomUUID()), ({ kept }) => ({ result: kept }));

    expect(again).toEqual({ request_sha256: 'sha256:request', decision_id: id, decision: made });
    const { tenant_id, decision_id } = made;
    expect(
      await inTenant(run.session, (transaction) => transaction.findDecision({ tenant_id, decision_id })),
    ).toEqual(made);
    const missing = { tenant_id, decision_id: randomUUID() };
    expect(await inTenant(run.session, (transaction) => transaction.findDecision(missing))).toBeUndefined();
  });

  it('waits for the lock, and then knows what was committed before it was granted', async () => {
    const run = asked();
    const { session } = run;
    await inTenant(session, (transaction) => makeHead(transaction, session));
    let waiting: Promise<Known> | undefined;

    await inTenant(session, async (transaction) => {
      const { head } = await makeHead(transaction, session);
      waiting = store.decide(run.question, (known) => ({ result: known }));
      await sleep(100);
      await transaction.saveSessionHead(session, { ...head, session_epoch: 7, ...holder });
      await transaction.saveRecord({
        name: 'policy',
        tenant_id: session.tenant_id,
        keys: {},
        fields: { policy_version: 'v7' },
      });
    });

    expect(await waiting).toMatchObject({
      head: { session_epoch: 7, held_by: 'runtime-7' },
      recorded: { tenant: { policy_version: 'v7' } },
    });
  });

  it('that throws changes nothing, and fails nobody else', async () => {
    const runs = Array.from({ length: 8 }, asked);
    const fault = new Error('It can not be decided');

    const outcomes = await Promise.allSettled(
      runs.map((run, place) =>
        store.decide(run.question, (known) => {
          if (place === 3) throw fault;
          return { result: place, changes: sealing(run, known) };
        }),
      ),
    );

    expect(outcomes.map(({ status }) => status)).toEqual(
      runs.map((_, place) => (place === 3 ? 'rejected' : 'fulfilled')),
    );
    expect(outcomes[3]).toMatchObject({ reason: fault });
    const written = await Promise.all(
      runs.map(({ session }) =>
        inTenant(session, (transaction) => transaction.readChain(session, { after: 0, limit: 9 })),
      ),
    );
    expect(written.map(({ length }) => length)).toEqual(runs.map((_, place) => (place === 3 ? 0 : 1)));
  });
});

describe('the store', () => {
  it('tells its schema, its connections, and how transactions end', async () => {
    const told: [string, number][] = [];
    const own = noting(new Database({ connectionString: database.connectionString }));
    own.observeTransactions((outcome, seconds) => told.push([outcome, seconds]));

    await own.transact({ tenant_id: 't' }, async (transaction) => ({
      result: await transaction.readClock(),
    }));
    await own.transact({ tenant_id: 't' }, () => Promise.reject(new Error('a fault'))).catch(() => undefined);

    expect(told.map(([outcome]) => outcome)).toEqual(['committed', 'failed']);
    expect(own.connections).toEqual({ total: 1, idle: 1, waiting: 0 });
    const { version, oldestProgram } = await own.schemaVersion();
    expect(version).toBeGreaterThanOrEqual(oldestProgram);
    await own.close();
  });
});

it('every method that is promised was called by a test', () => {
  const promised = [
    ...Object.keys(transactionOf({ query: () => Promise.resolve([]) })),
    ...['transact', 'transactInTurn', 'decide', 'schemaVersion', 'unresolvedEffects', 'connections'],
    'observeTransactions',
  ];

  expect(promised.filter((method) => !called.has(method))).toEqual([]);
});

/** Runs work that leaves nothing unawaited. */
function inTenant<T>({ tenant_id }: TenantKey, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return store.transact({ tenant_id }, async (transaction) => ({ result: await work(noting(transaction)) }));
}

function noting<T extends object>(target: T): T {
  return new Proxy(target, {
    get: (_, name) => {
      called.add(String(name));
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

/** Whoever locks a head that is locked waits, and sees then what the holder has committed. */
/**
 * Of a head that is there, and of one that is only just being made: whoever comes second waits, and reads behind the lock
 * what the first one has committed.
 */
async function expectLocked(
  session: SessionKey,
  lock: (
    transaction: Transaction,
    session: SessionKey,
    read: () => Promise<unknown>,
  ) => Promise<Locked<unknown, unknown>>,
): Promise<void> {
  for (const policy_version of ['made', 'there']) {
    const policy = { name: 'policy', tenant_id: session.tenant_id, keys: {} } as const;
    let waiting: Promise<Locked<unknown, unknown>> | undefined;
    let granted = false;

    await inTenant(session, async (transaction) => {
      await lock(transaction, session, nothing);
      waiting = inTenant(session, (other) =>
        lock(other, session, () => other.findRecord(policy)).finally(() => (granted = true)),
      );
      await sleep(100);
      await transaction.saveRecord({ ...policy, fields: { policy_version } });
      expect(granted).toBe(false);
    });

    expect((await waiting)?.found).toMatchObject({ fields: { policy_version } });
  }
}

const nothing = () => Promise.resolve();

function makeHead(transaction: Transaction, session: SessionKey) {
  return transaction.lockSession(session, nothing);
}

function epochOf(session: SessionKey) {
  return inTenant(session, (transaction) => transaction.readSessionEpoch(session));
}

function newSession(): SessionKey {
  return { tenant_id: randomUUID(), session_id: 'session-1' };
}

function recordOf({ tenant_id, session_id }: SessionKey, principal_id: string): RecordToWrite {
  return {
    name: 'session',
    tenant_id,
    keys: { session_id },
    fields: {
      session_status: 'active',
      principal_id,
      authorization_mode: 'platform_owned',
      delegated_principal_id: '',
      delegated_scope: '',
      idempotency_key: 'intent-1',
      checkpoint_ref: 'checkpoint-1',
    },
  };
}

function effectOf(session: SessionKey, status: string, idempotency_key = 'intent-1'): RecordToWrite {
  return {
    name: 'side_effect',
    tenant_id: session.tenant_id,
    keys: { idempotency_key },
    fields: {
      session_id: session.session_id,
      capability_name: 'create_ticket',
      approval_id: idempotency_key === 'intent-1' ? 'approval-1' : `approval of ${idempotency_key}`,
      action_digest: 'sha256:action',
      side_effect_status: status,
    },
  };
}

function approvalOf(session: SessionKey): RecordToWrite {
  return {
    name: 'approval',
    tenant_id: session.tenant_id,
    keys: { approval_id: 'approval-1' },
    fields: {
      session_id: session.session_id,
      capability_name: 'create_ticket',
      action_digest: 'sha256:action',
      approval_status: 'approved',
      expires_at: '2999-01-01T00:00:00.000000Z',
    },
  };
}

function logOf(length: number): LoggedEvent[] {
  let end = { sequence: 0, sha256: chainStart };
  return Array.from({ length }, (_, index) => {
    const event = { event_id: `event-${index + 1}`, event_type: 'call', content_sha256: `sha256:${index}` };
    const placed = chainSessionEvent(event, end);
    end = { sequence: placed.sequence, sha256: placed.lineage_sha256 };
    return placed;
  });
}

function chainOf(chain: ChainKey, length: number): TraceEvent[] {
  let tip = { sequence: 0, sha256: chainStart };
  const now = new Date().toISOString().replace('Z', '000Z');
  return Array.from({ length }, () => {
    const content = { event_type: 'control_record_written' as const, payload: { kind: 'policy' } };
    const event = chainEvent(
      { ...noSubject, ...chain, ...content, event_id: randomUUID(), occurred_at: now, actor: 'open' },
      tip,
    );
    tip = { sequence: event.sequence, sha256: event.event_sha256 };
    return event;
  });
}

const holder = { held_by: 'runtime-7', held_since: '2026-03-01T10:00:00.000000Z' };

/** A question about an envelope that is to be sealed in a session of its own. */
function asked() {
  const { continuity_envelope: given } = parseSealRequest(requestsOf(randomUUID()).sealRequest());
  const { tenant_id, session_id, envelope_id } = given;
  const session = { tenant_id, session_id };
  return { session, given, question: { session, envelope_id, given } satisfies Question };
}

type Asked = ReturnType<typeof asked>;

function claiming({ session, given }: Asked, decision_id: string): Question {
  const { tenant_id } = session;
  const claim = { tenant_id, idempotency_key: 'key-1', request_sha256: 'sha256:request', decision_id };
  return { session, envelope_id: given.envelope_id, claim };
}

function sealing({ session, given }: Asked, { now, head }: Known): Changes & { envelope: StoredEnvelope } {
  const { tenant_id, envelope_id } = given;
  const content = { event_type: 'reset_boundary' as const, payload: {} };
  const event = linkEvent(head, { ...session, occurred_at: now, actor: 'open', envelope_id }, content);
  const envelope: StoredEnvelope = {
    tenant_id,
    envelope_id,
    envelope: given,
    envelope_sha256: envelopeDigest(given),
    lineage_sha256: null,
    last_sequence: null,
    constraint_digests: {},
    session_epoch: head.session_epoch,
    created_at: now,
    trace_event: { event_id: event.event_id, event_type: event.event_type },
  };
  return { event, head: { ...head, newest_envelope_id: envelope_id }, envelope };
}

/** A stop, with no more to it than has to be. */
function stopping({ session, given }: Asked, { now, head }: Known, decision_id: string) {
  const { envelope_id, principal_id, summary_sha256, source_trace_id: trace_id } = given;
  const presented = {
    ...{ ...session, envelope_id, principal_id, summary_sha256 },
    ...{ source_event_range: null, session_epoch: null },
  };
  const facts = { kind: 'refused', decided_at: now, refusal: 'envelope_not_found', presented } as const;
  const content = { event_type: 'continuity_validation_failed' as const, payload: {} };
  const decided = decide(facts);
  const { status, reason } = decided;
  const subject = { envelope_id, trace_id, decision_id, status, reason };
  const event = linkEvent(head, { ...session, ...subject, occurred_at: now, actor: 'open' }, content);
  const decision: StoredDecision = {
    ...{ ...session, decision_id, envelope_id, trace_id },
    decision: decided,
    facts,
    rules_version: 'rules-1',
    granted: null,
    trace_event: { event_id: event.event_id, event_type: event.event_type },
  };
  return { event, head, decision } satisfies Changes;
}

function withResolvers() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((whenResolved) => {
    resolve = whenResolved;
  });
  return { promise, resolve };
}

/** Text that no compression makes shorter than a key can be. */
function noise(): string {
  return Array.from({ length: 1_024 }, () =>
    String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000)),
  ).join('');
}
