import { createRemoteJWKSet } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { verifyReceipt } from '../../src/client/verify-receipt.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { prepare, send, sessionOf, startGates, type Gate, type Session, type Timed } from './gates.js';

/** How often two runtimes meet. */
const meetings = 25;

let store: TestDatabase;
let gates: readonly [Gate, Gate];

beforeAll(async () => {
  store = await createTestDatabase();
  const [one, other] = await startGates(2, store.connectionString);
  if (!one || !other) throw new Error('There are not two gates');
  gates = [one, other];
});

afterAll(async () => {
  await Promise.all(gates.map((gate) => gate.stop()));
  await store.drop();
});

it(
  'of two runtimes that resume at the same moment, on two processes, the later alone holds the session',
  { timeout: 120_000 },
  async () => {
    for (let meeting = 1; meeting <= meetings; meeting += 1) {
      const session = sessionOf(`meeting-${meeting}`);
      await prepare(session, gates[0]);

      const goes = await Promise.all(
        gates.map(async (gate, index) => {
          const runtime_id = `runtime-${index}`;
          return { gate, runtime_id, ...(await session.rehydrate(gate, { runtime_id })) };
        }),
      );

      expect(goes.map(({ status }) => status)).toEqual([200, 200]);
      const [earlier, later] = goes.sort((one, other) => epochOf(one) - epochOf(other));
      if (!earlier || !later) throw new Error('There are not two goes');
      expect([earlier, later].map(epochOf)).toEqual([1, 2]);
      const holder = { held_by: later.runtime_id, held_since: later.body['decided_at'] };
      for (const refused of await actAs(session, earlier)) {
        expect(refused).toMatchObject({ status: 409, body: { code: 'stale_epoch', ...holder } });
      }
      expect(await session.rehydrate(earlier.gate, { session_epoch: 1 })).toMatchObject({
        status: 422,
        body: { reason: 'stale_epoch' },
      });
      for (const gate of gates)
        expect((await epochAt(gate, session)).body).toMatchObject({ session_epoch: 2, ...holder });
      await expect(receiptOf(earlier, session)).rejects.toMatchObject({ reason: 'stale_epoch' });
      expect(await receiptOf(later, session)).toMatchObject({ session_epoch: 2 });
      for (const accepted of await actAs(session, later)) expect(accepted.status).toBeLessThan(300);
    }
  },
);

type Go = Timed & { readonly gate: Gate };

function epochOf({ body }: Timed): number {
  return Number(body['session_epoch']);
}

/** Everything that the holder of a session may do, and names its epoch with. */
async function actAs(session: Session, go: Go): Promise<Timed[]> {
  const session_epoch = epochOf(go);
  const set = { '/session_epoch': session_epoch };
  return [
    await session.seal(go.gate, `envelope-of-${session_epoch}`, session_epoch),
    await session.put(go.gate, 'session', { set: { ...set, '/budget_remaining': 8 } }),
    await session.put(go.gate, 'side_effect', {
      set: { ...set, '/side_effect_status': 'side_effect_unknown' },
    }),
  ];
}

function epochAt(gate: Gate, { tenant_id, session_id }: Session): Promise<Timed> {
  return send(gate, 'GET', `/tenants/${tenant_id}/sessions/${session_id}/epoch`);
}

/** The check of a tool gateway that has asked for the current epoch. */
async function receiptOf({ gate, body }: Go, session: Session) {
  const { tenant_id, session_id } = session;
  return verifyReceipt(String(body['receipt']), {
    keys: createRemoteJWKSet(new URL('/.well-known/jwks.json', gate.url)),
    issuer: 'continuity-gate',
    tenant_id,
    session_id,
    session_epoch: epochOf(await epochAt(gate, session)),
  });
}
