import { jwtVerify, type JWTVerifyGetKey } from 'jose';

import type { ReceiptClaims } from '../domain/receipt.js';
import { receiptType } from './sign-receipt.js';

/** What a tool gateway checks a receipt against. */
export interface ReceiptRules {
  /** The gate's public keys: `createRemoteJWKSet` of jose, pointed at `/.well-known/jwks.json`. */
  readonly keys: JWTVerifyGetKey;
  /** The gate's `RECEIPT_ISSUER`. */
  readonly issuer: string;
  /** What the gateway was called for. */
  readonly tenant_id: string;
  readonly session_id: string;
  /** The session's epoch as `GET …/epoch` tells it now: a receipt of an earlier one is of someone fenced off. */
  readonly session_epoch: number;
}

/** A receipt that does not hold, and why. */
export class ReceiptRefusedError extends Error {
  readonly reason: 'invalid' | 'other_session' | 'stale_epoch';

  constructor(reason: ReceiptRefusedError['reason'], cause?: unknown) {
    super(`The receipt does not hold: ${reason}`, { cause });
    this.reason = reason;
  }
}

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
    throw new ReceiptRefusedError('invalid', cause);
  });
  if (payload.tenant_id !== rules.tenant_id || payload.session_id !== rules.session_id) {
    throw new ReceiptRefusedError('other_session');
  }
  if (payload.session_epoch !== rules.session_epoch) throw new ReceiptRefusedError('stale_epoch');
  return payload;
}
