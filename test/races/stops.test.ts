import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../dist/server.js', import.meta.url));

/** Each start is stopped a little later than the one before: before, during and after the start of Postgres. */
const starts = 25;
const stepMs = 200;

it('leaves no Postgres behind when every process of the group is asked to stop, again and again, at any moment', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'continuity-gate-stops-'));
  await chmod(directory, 0o711);
  const outcomes: unknown[] = [];

  for (let start = 0; start < starts; start += 1) {
    // Every second one begins with the files that are there.
    const dataDirectory = join(directory, start % 2 === 0 ? `store-${start}` : 'store');
    const { PATH, HOME } = process.env;
    const gate = spawn(process.execPath, [program], {
      env: { PATH, HOME, PORT: '0', LOG_LEVEL: 'silent', CONTINUITY_DATA_DIR: dataDirectory },
      stdio: 'ignore',
      detached: true,
    });
    const ended = once(gate, 'exit');
    await sleep(start * stepMs);
    const again = setInterval(() => {
      signal(gate.pid);
    }, 50);
    signal(gate.pid);
    await ended;
    clearInterval(again);
    await sleep(200);
    outcomes.push(await processesOn(dataDirectory));
  }

  await rm(directory, { recursive: true, force: true });
  expect(outcomes).toEqual(Array.from({ length: starts }, () => []));
}, 300_000);

/** To all of the group, as npm, a service manager and a terminal do. */
function signal(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGTERM');
  } catch {
    // The group has ended.
  }
}

async function processesOn(dataDirectory: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-eo', 'args=']);
  return stdout.split('\n').filter((command) => command.includes(` -D ${dataDirectory}/`));
}
