import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Logger } from 'pino';

import { ReceiptKeyError, thumbprintsOf, type ReceiptKeys } from './receipts/keys.js';
import type { Database } from './store/database.js';
import { lifeOfWordSeconds, otherGates, sayAlive, sayGoodbye, type GateKeys } from './store/living-gates.js';

/** How often a gate says that it lives. */
const wordInterval = 10_000;

/** A gate among those that serve on the same database. */
export interface Replica {
  /** Leaves them, so that one with other keys may start at once. */
  leave(): Promise<void>;
}

/**
 * Joins the gates that serve on the same database, unless one of them shares no receipt key with this one: whoever fetched
 * the keys of either would refuse the receipts of the other. One that has just died is waited for.
 *
 * @throws ReceiptKeyError when such a gate goes on living
 */
export async function joinReplicas(
  database: Database,
  receiptKeys: ReceiptKeys,
  logger: Logger,
  patienceMs = (lifeOfWordSeconds + 5) * 1_000,
): Promise<Replica> {
  const gateId = randomUUID();
  const keys = await thumbprintsOf(receiptKeys);
  const deadline = Date.now() + patienceMs;
  let others = await join(database, gateId, keys);
  for (let told = false; strangersAmong(others, keys) > 0; others = await join(database, gateId, keys)) {
    if (Date.now() > deadline) throw new ReceiptKeyError(strangerText);
    if (!told)
      logger.warn(
        'Another gate on this database, or one that has just ended, has other receipt keys; waiting',
      );
    told = true;
    await sleep(1_000);
  }
  if (others.some(({ publishes }) => !publishes.includes(keys.signs_with))) {
    logger.warn(
      'Another gate on this database does not publish the key that this one signs with: its readers refuse the receipts of this one',
    );
  }
  const words = setInterval(() => {
    speak(database, gateId, keys, logger).catch((error: unknown) => {
      logger.debug({ err: error }, 'This gate could not say that it lives');
    });
  }, wordInterval);
  return {
    leave: async () => {
      clearInterval(words);
      await database
        .transactSql(null, (transaction) =>
          Promise.resolve({ result: undefined, writes: [sayGoodbye(transaction, gateId)] }),
        )
        // Its last word runs out by itself.
        .catch(() => undefined);
    },
  };
}

const strangerText =
  'Another gate on this database signs receipts with keys that this one does not have, and each would have its receipts ' +
  'refused where the keys of the other were fetched: name one RECEIPT_KEY_FILE for all of them, or stop the other one.';

/** Joins unless there are strangers; returns the others. */
function join(database: Database, gateId: string, keys: GateKeys): Promise<GateKeys[]> {
  return database.transactSql(null, async (transaction) => {
    const others = await otherGates(transaction, gateId, true);
    const joined = strangersAmong(others, keys) === 0;
    return { result: others, writes: joined ? [sayAlive(transaction, gateId, keys)] : [] };
  });
}

/** A gate that was paused for longer than its word counts may find that a stranger has come meanwhile. */
async function speak(database: Database, gateId: string, keys: GateKeys, logger: Logger): Promise<void> {
  const others = await database.transactSql(null, async (transaction) => ({
    result: await otherGates(transaction, gateId, false),
    writes: [sayAlive(transaction, gateId, keys)],
  }));
  if (strangersAmong(others, keys) > 0) logger.error(strangerText);
}

function strangersAmong(others: readonly GateKeys[], { publishes }: GateKeys): number {
  return others.filter((other) => !other.publishes.some((key) => publishes.includes(key))).length;
}
