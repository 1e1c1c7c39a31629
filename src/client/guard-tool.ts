import { GateFailureError, GateProblemError } from './failures.js';
import { currentEpoch, renew, type Asker, type Granted } from './resume.js';
import { ReceiptRefusedError, verifyReceipt } from './verify-receipt.js';

/** The tool was not called. */
export class ToolRefusedError extends Error {
  readonly reason: 'no_go' | 'stale_epoch' | 'receipt_refused' | 'could_not_ask';

  constructor(reason: ToolRefusedError['reason'], cause?: unknown) {
    super(`The tool was not called: ${reason}`, { cause });
    this.name = 'ToolRefusedError';
    this.reason = reason;
  }
}

/**
 * Resolves only if the go holds now: the gate is asked who holds the session, and the receipt is verified against that.
 * A receipt that ran out is renewed, which asks every rule again.
 */
export async function requireHeld(asker: Asker, granted: Granted | undefined): Promise<Granted> {
  if (!granted) throw new ToolRefusedError('no_go');
  try {
    return await current(asker, granted);
  } catch (cause) {
    throw refusedFor(cause);
  }
}

async function current(asker: Asker, granted: Granted): Promise<Granted> {
  const { go } = granted;
  const session_epoch = await currentEpoch(asker.api, go);
  if (session_epoch !== go.session_epoch) throw new ReceiptRefusedError('stale_epoch');
  const { tenant_id, session_id } = go;
  const rules = { ...asker.receipts, tenant_id, session_id, session_epoch };
  try {
    await verifyReceipt(go.receipt, rules);
    return granted;
  } catch (error) {
    if (!(error instanceof ReceiptRefusedError) || error.reason !== 'expired') throw error;
    return { ...granted, go: await renew(asker, granted) };
  }
}

function refusedFor(cause: unknown): ToolRefusedError {
  if (cause instanceof GateFailureError || cause instanceof GateProblemError) {
    return new ToolRefusedError('could_not_ask', cause);
  }
  if (!(cause instanceof ReceiptRefusedError)) throw cause;
  return new ToolRefusedError(cause.reason === 'stale_epoch' ? 'stale_epoch' : 'receipt_refused', cause);
}
