import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose';

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
  /** Whether the gate's own records were compared, or a state that the caller attested. */
  readonly control_state_source: 'records' | 'attested';
  /** The frozen actions: what may be asked for next, and nothing else. Gates before 0.2.0 tell none. */
  readonly actions?: readonly ReceiptAction[];
  readonly authorized: false;
}

/** One frozen action, by what a tool gateway can compare its call with. */
export interface ReceiptAction {
  readonly idempotency_key: string;
  readonly capability_name: string;
  readonly capability_version: string;
  readonly action_digest: string;
  /** Null where the capability needs none. */
  readonly approval_id: string | null;
}

/** What a receipt is checked against. */
export interface ReceiptRules {
  /** The gate's public keys: jose's `createLocalJWKSet` for pinned ones, or `createRemoteJWKSet`. */
  readonly keys: JWTVerifyGetKey;
  /** The gate's `RECEIPT_ISSUER`. */
  readonly issuer: string;
  /** What the call is for. */
  readonly tenant_id: string;
  readonly session_id: string;
  /** The session's epoch as `GET …/epoch` tells it now: a receipt of an earlier one is of someone fenced off. */
  readonly session_epoch: number;
  /** Demands that the gate's own records were compared: a state that was attested is the caller's word. */
  readonly control_state_source?: 'records';
  /** Demands that the call is one of the frozen actions. */
  readonly action?: Pick<ReceiptAction, 'idempotency_key' | 'action_digest'>;
}

/** A receipt that does not hold, and why. */
export class ReceiptRefusedError extends Error {
  readonly reason:
    'invalid' | 'expired' | 'other_session' | 'stale_epoch' | 'attested_state' | 'other_action';

  constructor(reason: ReceiptRefusedError['reason'], cause?: unknown) {
    super(`The receipt does not hold: ${reason}`, { cause });
    this.name = 'ReceiptRefusedError';
    this.reason = reason;
  }
}

/** The `typ` of a receipt, so that no other token passes for one. */
export const receiptType = 'continuity-receipt+jwt';

/**
 * Verifies a receipt: signature, type, issuer and expiry, that it is of this session, that nobody has resumed the session
 * since, and what else the rules demand. Throws `ReceiptRefusedError`.
 *
 * It shows that continuity was checked. Whether the call is allowed is still the policy decision point's to say.
 */
export async function verifyReceipt(receipt: string, rules: ReceiptRules): Promise<ReceiptClaims> {
  // Without one, jose asks for none: a receipt of any gate that these keys are of would do.
  if (!rules.issuer) throw new TypeError('A receipt is verified against the issuer that it must have');
  const { payload } = await jwtVerify<ReceiptClaims>(receipt, rules.keys, {
    algorithms: ['EdDSA'],
    typ: receiptType,
    issuer: rules.issuer,
    requiredClaims: ['jti', 'iat', 'exp'],
  }).catch((cause: unknown) => {
    throw new ReceiptRefusedError(cause instanceof errors.JWTExpired ? 'expired' : 'invalid', cause);
  });
  if (payload.tenant_id !== rules.tenant_id || payload.session_id !== rules.session_id) {
    throw new ReceiptRefusedError('other_session');
  }
  if (payload.session_epoch !== rules.session_epoch) throw new ReceiptRefusedError('stale_epoch');
  if (
    rules.control_state_source !== undefined &&
    payload.control_state_source !== rules.control_state_source
  ) {
    throw new ReceiptRefusedError('attested_state');
  }
  if (rules.action && !isAmong(rules.action, payload.actions)) throw new ReceiptRefusedError('other_action');
  return payload;
}

function isAmong(
  { idempotency_key, action_digest }: NonNullable<ReceiptRules['action']>,
  actions: ReceiptClaims['actions'] = [],
): boolean {
  return actions.some(
    (action) => action.idempotency_key === idempotency_key && action.action_digest === action_digest,
  );
}
