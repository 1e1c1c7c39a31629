import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readConfig } from '../config.js';
import { createLogger } from '../observability/logger.js';
import { start, type RunningGate } from '../start-gate.js';
import { Stops } from '../stops.js';

/**
 * Starts the gate of this program, open, on a free port of loopback, with a store of its own that is gone when it stops:
 * what it stores need not survive anything.
 */
export async function startEmbeddedGate(): Promise<RunningGate> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'continuity-gate-evals-'));
  const stops = new Stops();
  stops.push(() => rm(dataDirectory, { recursive: true, force: true }));
  // As root, the account that Postgres runs under must be able to enter it.
  await chmod(dataDirectory, 0o711);
  return start(readConfig({ PORT: '0', CONTINUITY_DATA_DIR: dataDirectory }), {
    logger: createLogger('silent'),
    stops,
    postgresSettings: { fsync: 'off', full_page_writes: 'off' },
  });
}
