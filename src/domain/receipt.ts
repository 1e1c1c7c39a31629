import { actionsOf } from './actions.js';
import type { ComparedFacts, FrozenAction } from './facts.js';
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
  readonly approval_id: string | null;
}

/**
 * The claims of a go's receipt. It lives from the moment of the facts, by the database's clock, for as long as receipts
 * live, and never longer than an approval.
 */
export function receiptClaims(
  go: { readonly decision_id: string; readonly session_epoch: number },
  facts: ComparedFacts,
  lifeSeconds: number,
): ReceiptClaims {
  const { decided_at, envelope, current } = facts;
  const iat = seconds(decided_at);
  const approvalEnds = actionsOf(facts)
    .flatMap(({ frozen, approval }) => [frozen.approval_expires_at, approval?.expires_at])
    .flatMap((expiry) => (expiry ? [seconds(expiry)] : []));
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
    actions: envelope.actions.map(actionOf),
    control_state_source: current.source,
    authorized: false,
  };
}

function actionOf(frozen: FrozenAction): ReceiptAction {
  const { idempotency_key, capability_name, capability_version, action_digest, approval_id } = frozen;
  return { idempotency_key, capability_name, capability_version, action_digest, approval_id };
}

/** Whole seconds since the Unix epoch, rounded down: in doubt a receipt ends sooner. */
function seconds(timestamp: string): number {
  const instant: Instant | 'invalid' | 'no_offset' = parseTimestamp(timestamp);
  if (typeof instant !== 'bigint') throw new TypeError('Facts hold readable times only');
  return Number(instant / 1_000_000n);
}
