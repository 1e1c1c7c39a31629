import { afterAll, beforeAll, expect, it } from 'vitest';
import { valueAt } from '../../support/edit-json.js';
import { storedEpoch } from '../../support/expect-stop.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

/** Two replicas on one store: what one process orders by itself, the store has to order between them. */
let gate: TestApp;
let replica: TestApp;

beforeAll(async () => {
  gate = await createTestApp();
  replica = await createTestApp({ connectionString: gate.connectionString });
});

afterAll(async () => {
  await replica.close();
  await gate.close();
});

const eitherOf = (index: number) => (index % 2 === 0 ? gate : replica);

it('twenty rehydrations of one envelope get the epochs 1 to 20, in the order of the chain', async () => {
  const run = requestsOf('epochs');
  await gate.seal(run.sealRequest());

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      eitherOf(index).rehydrate(run.rehydrateRequest({ runtime_id: `runtime-${index}` })),
    ),
  );

  expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
  const given = new Map(
    answers.map((answer) => [valueAt(answer.body, '/session_epoch'), answer.string('/trace_event/event_id')]),
  );
  const inOrder = Array.from({ length: 20 }, (_, index) => index + 1);
  const [, ...resumptions] = await gate.storedEvents(run);
  expect(resumptions.map(({ sequence }) => sequence)).toEqual(inOrder.map((epoch) => epoch + 1));
  expect(resumptions.map(({ payload }) => payload['session_epoch'])).toEqual(inOrder);
  expect(resumptions.map(({ event_id }) => event_id)).toEqual(inOrder.map((epoch) => given.get(epoch)));
  const last = answers.find((answer) => valueAt(answer.body, '/session_epoch') === 20);
  expect(await storedEpoch(gate, run)).toEqual({ session_epoch: 20, held_by: last?.string('/held_by') });
});

it('of twenty rehydrations that name the same epoch one gets on, and the others are told', async () => {
  const run = requestsOf('one-epoch');
  await gate.seal(run.sealRequest());

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      eitherOf(index).rehydrate(run.rehydrateRequest({ session_epoch: 0 })),
    ),
  );

  const reasons = answers.map((answer) => answer.string('/reason')).sort();
  expect(reasons).toEqual(['continuity_validated', ...Array<string>(19).fill('stale_epoch')]);
  expect(await storedEpoch(gate, run)).toMatchObject({ session_epoch: 1 });
});

it('of seals of one envelope id from several sessions one is accepted, and the others conflict', async () => {
  const run = requestsOf('one-id');

  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      eitherOf(index).seal(run.sealRequest({ envelope: { session_id: `one-id-${index}` } })),
    ),
  );

  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(11).fill(409)]);
  expect(await gate.query('select from trace_events where tenant_id = $1', [run.tenant_id])).toHaveLength(1);
  expect(await gate.query('select from envelopes where tenant_id = $1', [run.tenant_id])).toHaveLength(1);
});

it('the same seal at the same moment is accepted once, and every answer is the same', async () => {
  const run = requestsOf('same-seal');

  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => eitherOf(index).seal(run.sealRequest())),
  );

  expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(11).fill(200), 201]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await gate.storedEvents(run)).toHaveLength(1);
});

it('seals of different envelopes of one session follow each other, and the last one is the newest', async () => {
  const run = requestsOf('many-seals');

  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      eitherOf(index).seal(run.sealRequest({ envelope: { envelope_id: `many-${index}` } })),
    ),
  );

  expect(answers.map(({ status }) => status)).toEqual(Array<number>(12).fill(201));
  const events = await gate.storedEvents(run);
  expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
  expect(
    await gate.query('select newest_envelope_id from session_heads where tenant_id = $1', [run.tenant_id]),
  ).toEqual([{ newest_envelope_id: events.at(-1)?.envelope_id }]);
});

it('a seal and a rehydration at the same moment: whichever is second sees the first', async () => {
  for (const round of [1, 2, 3, 4, 5]) {
    const run = requestsOf(`crossing-${round}`);
    await gate.seal(run.sealRequest());

    const [go, sealed] = await Promise.all([
      gate.rehydrate(run.rehydrateRequest()),
      replica.seal(run.sealRequest({ envelope: { envelope_id: 'newer' } })),
    ]);

    const outcome = [go.status, sealed.status];
    expect([
      [200, 409],
      [422, 201],
    ]).toContainEqual(outcome);
  }
});
