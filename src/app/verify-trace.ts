import type { SessionKey } from '../domain/session-key.js';
import { followChain, type ChainProgress } from '../domain/verify-chain.js';
import type { Database } from '../store/database.js';
import { readSessionTip } from '../store/session-heads.js';
import { findAnchor } from '../store/trace-anchors.js';
import { readChain } from '../store/trace-events.js';

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
export async function verifyTrace(
  database: Database,
  session: SessionKey,
): Promise<TraceIntegrity | undefined> {
  const bounds = await database.transact(session.tenant_id, async (transaction) => {
    const [recorded, anchor] = await Promise.all([
      readSessionTip(transaction, session),
      findAnchor(transaction, session),
    ]);
    return { result: recorded && { recorded, anchor } };
  });
  if (!bounds) return undefined;
  const { recorded, anchor } = bounds;
  let progress: ChainProgress = { tip: anchor, brokenAt: null };
  while (progress.brokenAt === null && progress.tip.sequence < recorded.sequence) {
    const after = progress.tip.sequence;
    const limit = Math.min(pageSize, recorded.sequence - after);
    const events = await database.transact(session.tenant_id, async (transaction) => ({
      result: await readChain(transaction, session, { after, limit }),
    }));
    // A chain that ends before its recorded tip has lost its end.
    progress = events.length === 0 ? { ...progress, brokenAt: after + 1 } : followChain(progress, events);
  }
  const { tip, brokenAt } = progress;
  const broken_at = brokenAt ?? (tip.sha256 === recorded.sha256 ? null : tip.sequence);
  return { intact: broken_at === null, events: tip.sequence - anchor.sequence, broken_at };
}
