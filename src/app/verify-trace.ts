import type { SessionKey } from '../domain/session-key.js';
import { endChain, followChain, type ChainProgress } from '../domain/verify-chain.js';
import type { Store } from './store.js';

/** What a chain's verification found. */
export interface TraceIntegrity {
  readonly intact: boolean;
  /** How many events were verified. */
  readonly events: number;
  /** Sequence of the first event that is missing, changed or out of place. */
  readonly broken_at: number | null;
}

/** Events that are in memory at a time, however long the chain is. */
const pageSize = 1_000;

/**
 * Recomputes a session's chain from its beginning, or from where retention left it, up to the tip that its head records.
 * Undefined if the gate has never heard of the session. What is appended meanwhile is left to the next verification.
 */
export async function verifyTrace(store: Store, session: SessionKey): Promise<TraceIntegrity | undefined> {
  const bounds = await store.transact(session, async (transaction) => ({
    result: await transaction.readChainBounds(session),
  }));
  if (!bounds) return undefined;
  const { recorded, anchor } = bounds;
  let progress: ChainProgress = { tip: anchor, brokenAt: null };
  while (progress.brokenAt === null && progress.tip.sequence < recorded.sequence) {
    const after = progress.tip.sequence;
    const limit = Math.min(pageSize, recorded.sequence - after);
    const events = await store.transact(session, async (transaction) => ({
      result: await transaction.readChain(session, { after, limit }),
    }));
    if (events.length === 0) break;
    progress = followChain(progress, events);
  }
  const { tip, brokenAt } = endChain(progress, bounds);
  return { intact: brokenAt === null, events: tip.sequence - anchor.sequence, broken_at: brokenAt };
}
