import { Writable } from 'node:stream';

import { createLogger } from '../../src/observability/logger.js';

/** The service's own logger, and what it has written. */
export function captureLog(level = 'info') {
  const written: string[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written.push(chunk.toString('utf8'));
      done();
    },
  });
  return {
    logger: createLogger(level, destination),
    text: () => written.join(''),
    /** The lines with this message. */
    lines: (message: string) =>
      written.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === message),
  };
}
