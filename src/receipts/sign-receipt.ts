import { SignJWT } from 'jose';

import type { ReceiptClaims } from '../domain/receipt.js';
import type { ReceiptKeys } from './keys.js';

/** The `typ` of a receipt, so that no other token passes for one. */
export const receiptType = 'continuity-receipt+jwt';

/** How this gate signs receipts. */
export interface ReceiptSigner {
  readonly keys: ReceiptKeys;
  readonly issuer: string;
  /** How long a receipt lives, in seconds. */
  readonly lifeSeconds: number;
}

/** Signs a go's receipt as a compact JWS. */
export function signReceipt(claims: ReceiptClaims, { keys, issuer }: ReceiptSigner): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'EdDSA', kid: keys.kid, typ: receiptType })
    .setIssuer(issuer)
    .sign(keys.signingKey);
}
