import type { SessionKey, TenantKey } from '../domain/session-key.js';
import type { ChainTip } from '../domain/trace-event.js';
import type { Transaction } from './store.js';
import type { SessionHead } from './stored.js';

/** A head that is locked until the transaction ends, and what was read behind the lock. */
export interface Locked<Head, T> {
  readonly head: Head;
  readonly found: T;
}

/** Locks a session and reads what depends on it, in one round trip: `read` sends its statements behind the lock's. */
export function lockAndRead<T>(
  transaction: Transaction,
  session: SessionKey,
  read: () => Promise<T>,
): Promise<Locked<SessionHead, T>> {
  return readBehind(read, {
    lock: () => transaction.lockSessionHead(session),
    create: () => transaction.createSessionHead(session),
  });
}

/** The same for what belongs to a tenant and to none of its sessions. */
export function lockTenantAndRead<T>(
  transaction: Transaction,
  tenant: TenantKey,
  read: () => Promise<T>,
): Promise<Locked<ChainTip, T>> {
  return readBehind(read, {
    lock: () => transaction.lockTenantHead(tenant),
    create: () => transaction.createTenantHead(tenant),
  });
}

/**
 * What has no head yet gets one, and everything is read again once that is locked: while the head was being made, somebody
 * else may have made it and written behind it.
 */
async function readBehind<Head, T>(
  read: () => Promise<T>,
  { lock, create }: { lock: () => Promise<Head | undefined>; create: () => Promise<void> },
): Promise<Locked<Head, T>> {
  const lockThenRead = () => Promise.all([lock(), read()]);
  const [head, found] = await lockThenRead();
  if (head) return { head, found };
  await create();
  const [createdHead, foundBehindIt] = await lockThenRead();
  if (!createdHead) throw new Error('A head that was just made is gone');
  return { head: createdHead, found: foundBehindIt };
}
