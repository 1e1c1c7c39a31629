import type { ComparedFacts, EnvelopeFacts } from './facts.js';
import { parseTimestamp, type Instant } from './time.js';
import { versionsOf } from './trace.js';

/** What a receipt says: that continuity was checked, and nothing about what is allowed. */
export interface ReceiptClaims {
  /** The decision. */
  readonly jti: string;
  /** Issued and expires, in seconds since the Unix epoch. */
  readonly iat: number;
  readonly exp: number;
  readonly tenant_id: string;
  readonly session_id: string;
  readonly envelope_sha256: string;
  readonly session_epoch: number;
  readonly status: 'reauthorization_required';
  readonly versions: ReturnType<typeof versionsOf>;
  /** The frozen actions: what may be asked for next, and nothing else. */
  readonly actions: readonly ReceiptAction[];
  readonly control_state_source: ComparedFacts['current']['source'];
  readonly authorized: false;
}

/** One frozen action, by what a tool gateway can compare its call with. */
export interface ReceiptAction {
  readonly idempotency_key: string;
  readonly capability_name: string;
  readonly capability_version: string;
  readonly action_digest: string;
  readonly approval_id: string;
}

/**
 * The claims of a go's receipt. It lives from the moment of the facts, by the database's clock, for as long as receipts
 * live, and never longer than the approval.
 */
export function receiptClaims(
  go: { readonly decision_id: string; readonly session_epoch: number },
  { decided_at, envelope, current }: ComparedFacts,
  lifeSeconds: number,
): ReceiptClaims {
  const iat = seconds(decided_at);
  const expiries = [envelope.action.approval_expires_at, current.approval?.expires_at];
  const approvalEnds = expiries.flatMap((expiry) => (expiry === undefined ? [] : [seconds(expiry)]));
  return {
    jti: go.decision_id,
    iat,
    exp: Math.min(iat + lifeSeconds, ...approvalEnds),
    tenant_id: envelope.tenant_id,
    session_id: envelope.session_id,
    envelope_sha256: envelope.envelope_sha256,
    session_epoch: go.session_epoch,
    status: 'reauthorization_required',
    versions: versionsOf(envelope),
    actions: [actionOf(envelope)],
    control_state_source: current.source,
    authorized: false,
  };
}

function actionOf({ action }: EnvelopeFacts): ReceiptAction {
  const { idempotency_key, capability_name, capability_version, action_digest, approval_id } = action;
  return { idempotency_key, capability_name, capability_version, action_digest, approval_id };
}

/** Whole seconds since the Unix epoch, rounded down: in doubt a receipt ends sooner. */
function seconds(timestamp: string): number {
  const instant: Instant | 'invalid' | 'no_offset' = parseTimestamp(timestamp);
  if (typeof instant !== 'bigint') throw new TypeError('Facts hold readable times only');
  return Number(instant / 1_000_000n);
}
