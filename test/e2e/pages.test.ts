import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { codeBlocks } from '../support/markdown.js';
import { pages, readPage } from '../support/pages.js';
import { serveGate, type ServedGate } from './served-gate.js';
import { Shell } from './shell.js';
import { eventually } from '../support/trace-pages.js';
import { stepsOf } from '../support/walk-through.js';

const steps = pages.flatMap((page) => stepsOf(readPage(page)).map((step) => ({ page, ...step })));
const psqlStandIn = fileURLToPath(new URL('./psql-stand-in.js', import.meta.url));

/** For machines that lack a program that the pages may take for granted. */
const prelude = `
  command -v psql >/dev/null || psql() { node '${psqlStandIn}' "$@"; }
  command -v sha256sum >/dev/null || sha256sum() { shasum -a 256; }`;

const isRunnable = ['bash', 'curl'].every((program) => spawnSync(program, ['--version']).status === 0);

describe.skipIf(!isRunnable)('the commands of the pages, in one shell', () => {
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

  /** What a page says, said of this service. */
  const here = (text: string) =>
    text
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${gate.port}`)
      .replaceAll(/(?:…\/)?\.data\//g, `${gate.dataDirectory}/`);

  it('has a README that tells what npm start says: where it listens, where the docs are, how to connect with SQL', () => {
    const said =
      codeBlocks(readPage('README.md')).find(({ text }) => text.startsWith('Listening on '))?.text ?? '';

    expect(gate.messages).toEqual(expect.arrayContaining(here(said).split('\n')));
  });

  it.each(steps)(
    'print what is told: $page, $heading, line $line',
    async ({ script, expected, readAnswer }) => {
      const check = async () => {
        expect(readAnswer(await shell.run(here(script)))).toEqual(expected);
      };
      await (script.includes('/trace-events') ? eventually(check) : check());
    },
  );
});
