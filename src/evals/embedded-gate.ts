import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildApp } from '../http/build-app.js';
import { ephemeralReceiptKeys } from '../receipts/keys.js';
import { createReceiptSigner } from '../receipts/sign-receipt.js';
import { Database } from '../store/database.js';
import { startEmbeddedPostgres } from '../embedded-postgres/start.js';
import { knownSchemaVersion, migrate } from '../store/migrate.js';

/** A gate with a store of its own that exists for one run of the evals. */
export interface EmbeddedGate {
  readonly url: string;
  /** Stops both and removes their files. */
  stop(): Promise<void>;
}

/** Starts the gate of this program, open, on a free port of loopback. What it stores need not survive anything. */
export async function startEmbeddedGate(): Promise<EmbeddedGate> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'continuity-gate-evals-'));
  const stops: (() => Promise<unknown>)[] = [() => rm(dataDirectory, { recursive: true, force: true })];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    // As root, the account that Postgres runs under must be able to enter it.
    await chmod(dataDirectory, 0o711);
    const store = await startEmbeddedPostgres({
      dataDirectory,
      settings: { fsync: 'off', full_page_writes: 'off' },
    });
    stops.push(() => store.stop());
    await migrate(store.connectionString);
    const database = new Database({ connectionString: store.connectionString });
    stops.push(() => database.close());
    const app = await buildApp({
      database,
      schemaVersion: await knownSchemaVersion(),
      access: { mode: 'open', attestedState: true, hostNames: ['127.0.0.1'] },
      receipts: createReceiptSigner(await ephemeralReceiptKeys(), {
        issuer: 'continuity-gate',
        lifeSeconds: 60,
      }),
    });
    stops.push(() => app.close());
    return { url: await app.listen({ host: '127.0.0.1', port: 0 }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
