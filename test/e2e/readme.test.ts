import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { codeBlocks } from '../support/markdown.js';
import { serveGate, type ServedGate } from '../support/served-gate.js';
import { Shell } from '../support/shell.js';
import { stepsOf } from '../support/walk-through.js';

const readme = readFileSync('README.md', 'utf8');
const psqlStandIn = fileURLToPath(new URL('../support/psql-stand-in.js', import.meta.url));

/** For machines that lack a program that the README may take for granted. */
const prelude = `
  command -v psql >/dev/null || psql() { node '${psqlStandIn}' "$@"; }
  command -v sha256sum >/dev/null || sha256sum() { shasum -a 256; }`;

const isRunnable = ['bash', 'curl'].every((program) => spawnSync(program, ['--version']).status === 0);

describe.skipIf(!isRunnable)('the README', () => {
  let gate: ServedGate;
  let shell: Shell;

  beforeAll(async () => {
    gate = await serveGate();
    shell = new Shell(process.env);
    await shell.run(prelude);
  }, 180_000);

  afterAll(async () => {
    shell.close();
    await gate.stop();
  });

  /** What the README says, said of this service. */
  const here = (text: string) =>
    text
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${gate.port}`)
      .replaceAll(/(?:…\/)?\.data\//g, `${gate.dataDirectory}/`);

  it('tells what npm start says: where it listens, where the docs are, how to connect with SQL', () => {
    const said = codeBlocks(readme).find(({ text }) => text.startsWith('Listening on '))?.text ?? '';

    expect(gate.messages).toEqual(expect.arrayContaining(here(said).split('\n')));
  });

  it.each(stepsOf(readme))(
    'tells what its commands answer: $heading, line $line',
    async ({ script, expected, readAnswer }) => {
      const check = async () => {
        expect(readAnswer(await shell.run(here(script)))).toEqual(expected);
      };
      // While another transaction is open, the trace is read late.
      await (script.includes('/trace-events')
        ? vi.waitFor(check, { timeout: 10_000, interval: 500 })
        : check());
    },
  );
});
