import { fileURLToPath } from 'node:url';

import { startGate } from '../races/gates.js';
import type { Mutant } from '../races/worker.js';
import { startService } from '../support/service-process.js';
import type { Running } from './chaos-gate.js';

const shiftClock = fileURLToPath(new URL('shift-clock.js', import.meta.url));

/** Starts the built gate on a database, with the receipt keys of all others. */
export function launchReplica(directory: string) {
  return (connectionString: string, clockOffsetMs: number): Promise<Running> =>
    startService({
      DATABASE_URL: connectionString,
      CONTINUITY_DATA_DIR: directory,
      ...(clockOffsetMs !== 0 && {
        NODE_OPTIONS: `--import=${shiftClock}`,
        CLOCK_OFFSET_MS: String(clockOffsetMs),
      }),
    });
}

/** Starts a gate that breaks a promise, for the checks to notice. */
export function launchMutant(mutant: Mutant, options = '') {
  return (connectionString: string): Promise<Running> => {
    const url = new URL(connectionString);
    if (options !== '') url.searchParams.set('options', options);
    return startGate({ connectionString: url.href, mutant });
  };
}

/** Starts the built gate with a store of its own. */
export function launchEmbedded(dataDirectory: string): Promise<Running> {
  return startService({ CONTINUITY_DATA_DIR: dataDirectory });
}
