import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { EmbeddedPostgresError } from './error.js';

/**
 * The preferred port where it is free, else a random free one of loopback. It stays below 32768, where the kernel
 * begins to hand out ports for outgoing connections and would now and then take ours between two starts.
 */
export async function choosePort(preferred: number | undefined): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(20_000, 32_768);
    if (await isFree(port)) return port;
  }
  throw new EmbeddedPostgresError('No port between 20000 and 32767 is free on 127.0.0.1.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(false);
    });
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
