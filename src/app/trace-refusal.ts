import { refusalContent } from '../domain/trace.js';
import type { Store } from './store.js';
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
export async function traceRefusal(store: Store, refusal: Refusal): Promise<void> {
  const { tenant_id, actor, reason, route } = refusal;
  await store.transactInTurn({ tenant_id, session_id: null }, async (transaction) => {
    const { head, found: occurred_at } = await transaction.lockTenant({ tenant_id }, () =>
      transaction.readClock(),
    );
    const content = refusalContent({ reason, route });
    const origin = { tenant_id, actor, occurred_at, status: 'continuity_validation_failed', reason };
    return { result: undefined, writes: appendToTenant(transaction, head, origin, content) };
  });
}
