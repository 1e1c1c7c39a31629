// Runs the bench from its TypeScript sources: node test/bench/run.js --help
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { runnerImport } from 'vite';

const source = fileURLToPath(new URL('main.ts', import.meta.url));
const { module } = await runnerImport(source, { configFile: false, logLevel: 'silent' });
await module.main(process.argv);
