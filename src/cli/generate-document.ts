import { buildApp } from '../http/build-app.js';
import { ephemeralReceiptKeys } from '../receipts/keys.js';
import { createReceiptSigner } from '../receipts/sign-receipt.js';
import { Database } from '../store/database.js';

/** The API document as it is served and committed: JSON, from the routes themselves, with no database and no port. */
export async function generateDocument(): Promise<string> {
  // Connects when it is first asked, which no document does.
  const database = new Database({ connectionString: 'postgres://unused' });
  const app = await buildApp({
    database,
    schemaVersion: 0,
    access: { mode: 'open', attestedState: true, hostNames: undefined },
    receipts: createReceiptSigner(await ephemeralReceiptKeys(), {
      issuer: 'continuity-gate',
      lifeSeconds: 60,
    }),
  });
  try {
    await app.ready();
    return `${JSON.stringify(app.swagger(), null, 2)}\n`;
  } finally {
    await app.close();
    await database.close();
  }
}
