import { refusalContent } from '../domain/trace.js';
import { readClock } from '../store/clock.js';
import type { Database } from '../store/database.js';
import { lockTenantAndRead } from './lock-and-read.js';
import { appendToTenant } from './tenant-chain.js';

/** A caller that was turned away before anything was decided. */
export interface Refusal {
  readonly tenant_id: string;
  readonly actor: string;
  readonly reason: 'forbidden';
  /** Method and path pattern of the route, such as `POST /rehydrate`. */
  readonly route: string;
}

/** Leaves the event of a refused caller in its tenant's own chain. */
export async function traceRefusal(database: Database, refusal: Refusal): Promise<void> {
  const { tenant_id, actor, reason, route } = refusal;
  await database.transactInTurn({ tenant_id, session_id: undefined }, async (transaction) => {
    const { head, found: occurred_at } = await lockTenantAndRead(transaction, { tenant_id }, () =>
      readClock(transaction),
    );
    const content = refusalContent({ reason, route });
    const origin = { tenant_id, actor, occurred_at, status: 'continuity_validation_failed', reason };
    return { result: undefined, writes: appendToTenant(transaction, head, origin, content) };
  });
}
