// A gate in a process of its own, until the end of its input:
//   node start-worker.js '{"connectionString": "…", "mutant": "none"}'
// Prints one line of JSON: the gate's URL.
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { runnerImport } from 'vite';

const source = fileURLToPath(new URL('worker.ts', import.meta.url));
const { module } = await runnerImport(source, { configFile: false, logLevel: 'silent' });
const worker = await module.startWorker(JSON.parse(process.argv[2]));
process.stdin.resume().once('end', () => void worker.stop().then(() => process.exit(0)));
process.stdout.write(`${JSON.stringify({ url: worker.url })}\n`);
