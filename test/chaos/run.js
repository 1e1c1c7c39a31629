// Runs the faults from their TypeScript sources: node test/chaos/run.js --help
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { runnerImport } from 'vite';

const source = fileURLToPath(new URL('main.ts', import.meta.url));
const { module } = await runnerImport(source, { configFile: false, logLevel: 'silent' });
// Connections that are kept alive would keep this process alive, too.
process.exit(await module.main(process.argv));
