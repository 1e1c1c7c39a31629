import { buildApp } from '../../../src/http/build-app.js';
import type { Database } from '../../../src/store/database.js';
import { knownSchemaVersion } from '../../../src/store/migrate.js';
import { testReceipts } from '../../support/test-receipts.js';
import type { Gate } from './gates.js';
import { openMutant, type Mutant } from './mutants.js';

/** What a worker process is told on its command line, as JSON. */
export interface WorkerOptions {
  readonly connectionString: string;
  readonly mutant: Mutant;
}

/** Serves one gate in this process. */
export function startWorker({ connectionString, mutant }: WorkerOptions): Promise<Gate> {
  return serveGate(openMutant(mutant, { connectionString }));
}

/** Serves the gate over the given store on a port of its own, until it is stopped. */
export async function serveGate(database: Database): Promise<Gate> {
  const app = await buildApp({
    database,
    schemaVersion: await knownSchemaVersion(),
    access: { mode: 'open', attestedState: true, hostNames: undefined },
    receipts: await testReceipts(),
  });
  return {
    url: await app.listen({ host: '127.0.0.1', port: 0 }),
    stop: async () => {
      await app.close();
      await database.close();
    },
  };
}
