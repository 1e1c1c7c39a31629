// A process of its own that starts the embedded store and holds it until it is killed:
//   node start-embedded-postgres.js <data directory>
// Prints one line of JSON, the store's connection string or the error's message.
import process from 'node:process';
import { setInterval } from 'node:timers';
import { fileURLToPath, URL } from 'node:url';
import { runnerImport } from 'vite';

const source = fileURLToPath(new URL('../../src/embedded-postgres/start.ts', import.meta.url));
const { module } = await runnerImport(source, { configFile: false, logLevel: 'silent' });
try {
  const store = await module.startEmbeddedPostgres({
    dataDirectory: process.argv[2],
    settings: JSON.parse(process.argv[3] ?? '{"fsync":"off"}'),
    log: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(
    `${JSON.stringify({ connectionString: store.connectionString, serviceFile: store.serviceFile })}\n`,
  );
  process.once('SIGTERM', () => void store.stop().then(() => process.exit(0)));
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: error.message })}\n`);
  process.exitCode = 1;
}
