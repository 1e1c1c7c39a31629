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
  readonly authorized: false;
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
}

/** A receipt that does not hold, and why. */
export class ReceiptRefusedError extends Error {
  readonly reason: 'invalid' | 'expired' | 'other_session' | 'stale_epoch';

  constructor(reason: ReceiptRefusedError['reason'], cause?: unknown) {
    super(`The receipt does not hold: ${reason}`, { cause });
    this.name = 'ReceiptRefusedError';
    this.reason = reason;
  }
}

/** The `typ` of a receipt, so that no other token passes for one. */
export const receiptType = 'continuity-receipt+jwt';

/**
 * Verifies a receipt: signature, type, issuer and expiry, that it is of this session, and that nobody has resumed the
 * session since. Throws `ReceiptRefusedError`.
 *
 * It shows that continuity was checked. Whether the call is allowed is still the policy decision point's to say.
 */
export async function verifyReceipt(receipt: string, rules: ReceiptRules): Promise<ReceiptClaims> {
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
  return payload;
}
