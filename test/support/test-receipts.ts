import { ephemeralReceiptKeys } from '../../src/receipts/keys.js';
import { createReceiptSigner, type ReceiptSigner } from '../../src/receipts/sign-receipt.js';

/** Signs with a key of its own; the public half is `keys.jwks`. */
export async function testReceipts(): Promise<ReceiptSigner> {
  return createReceiptSigner(await ephemeralReceiptKeys(), { issuer: 'continuity-gate', lifeSeconds: 60 });
}
