import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The built service in a process of its own. */
export interface StartedService {
  /** Such as `http://127.0.0.1:40000`. */
  readonly address: string;
  /** The lines that it has logged so far. */
  readonly log: readonly string[];
  stop(): Promise<void>;
}

/** Starts it on a free port with these settings and no others. Throws what it says on stderr if it ends at once. */
export async function startService(settings: NodeJS.ProcessEnv): Promise<StartedService> {
  const service = spawn(process.execPath, [fileURLToPath(new URL('../../dist/server.js', import.meta.url))], {
    env: { PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = text(service.stderr);
  const log: string[] = [];
  const listening = new Promise<string | undefined>((resolve) => {
    createInterface(service.stdout)
      .on('line', (line) => {
        log.push(line);
        const address = /Listening on (http:\/\/[^"\s]+)/.exec(line)?.[1];
        if (address !== undefined) resolve(address);
      })
      .on('close', () => {
        resolve(undefined);
      });
  });
  const address = await listening;
  if (address === undefined) throw new Error(await said);
  return {
    address,
    log,
    stop: async () => {
      if (service.exitCode === null && service.kill('SIGTERM')) await once(service, 'close');
    },
  };
}
