import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { boundaryOf } from '../support/client/boundary.js';
import { run } from '../support/run-cli.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const command = join(process.cwd(), 'src/client/dist/cli/main.js');

let app: TestApp;
let url: string;
let directory: string;

beforeAll(async () => {
  await promisify(execFile)('npm', ['run', '--silent', 'build', '--workspace', 'src/client']);
  app = await createTestApp();
  url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  directory = await mkdtemp(join(tmpdir(), 'continuity-command-'));
}, 120_000);

afterAll(async () => {
  await app.close();
  await rm(directory, { recursive: true });
});

async function ask(args: string[], request?: unknown, gate = url) {
  const file = join(directory, 'request.json');
  if (request !== undefined) await writeFile(file, JSON.stringify(request));
  const options = ['--gate', gate, '--epochs', join(directory, 'epochs')];
  const given = request === undefined ? args : [...args, file];
  const { exitCode, stdout } = await run(process.execPath, [command, ...options, ...given]);
  return { exitCode, answer: stdout === '' ? undefined : (JSON.parse(stdout) as unknown) };
}

describe('the command of a runtime', () => {
  const boundary = boundaryOf();
  const { tenant_id, session_id } = boundary.state;

  it('exits with 0 for what is sealed and for a go, and keeps the epoch in between', async () => {
    expect(await ask(['seal'], boundary.seal())).toMatchObject({ exitCode: 0, answer: { kind: 'sealed' } });
    expect(await ask(['resume'], boundary.resumption())).toMatchObject({
      exitCode: 0,
      answer: { kind: 'go', session_epoch: 1 },
    });
    const next = { ...boundary.state, envelope_id: 'next' };
    expect(await ask(['seal'], boundary.seal({ state: next }))).toMatchObject({ exitCode: 0 });
  });

  it('exits with 10 when it is blocked and with 20 when it is stopped', async () => {
    const unknown = { envelope_id: 'next', current_state: boundary.attested('side_effect_unknown') };
    expect(await ask(['resume'], boundary.resumption(unknown))).toMatchObject({
      exitCode: 10,
      answer: { kind: 'blocked' },
    });
    expect(await ask(['resume'], boundary.resumption({ summary: 'forged' }))).toMatchObject({
      exitCode: 20,
      answer: { kind: 'stopped' },
    });
  });

  it('exits with 30 when it could not ask', async () => {
    expect(await ask(['resume'], boundary.resumption(), 'http://127.0.0.1:9')).toMatchObject({
      exitCode: 30,
      answer: { kind: 'could_not_ask', failure: 'unreachable' },
    });
    expect(await ask(['backlog', tenant_id], undefined, 'http://127.0.0.1:9')).toMatchObject({
      exitCode: 30,
    });
  });

  it('exits with 2 when it is called wrongly', async () => {
    expect(await ask(['resume'], [])).toMatchObject({ exitCode: 2 });
    expect(await ask(['settle', tenant_id, 'key'])).toMatchObject({ exitCode: 2 });
  });

  it('lists, settles, shows and verifies', async () => {
    expect(await ask(['backlog', tenant_id])).toMatchObject({ exitCode: 0, answer: { reconciliations: [] } });
    const settlement = ['--outcome', 'not_started', '--evidence', 'search', '--by', 'someone'];
    expect(await ask(['settle', tenant_id, 'no-such-key', ...settlement])).toMatchObject({
      exitCode: 20,
      answer: { code: 'record_not_found' },
    });
    expect(await ask(['timeline', tenant_id, session_id])).toMatchObject({ exitCode: 0 });
    expect(await ask(['verify', tenant_id, session_id])).toMatchObject({
      exitCode: 0,
      answer: { intact: true },
    });
  });
});
