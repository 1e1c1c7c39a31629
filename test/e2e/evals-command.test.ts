import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { scopes, type Scope } from '../../src/http/auth/scopes.js';
import { accessBy, createSigningKey, mint, type SigningKey } from '../support/identity-provider.js';
import { runCli } from '../support/run-cli.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

/** The built program, and a deployment that knows tokens for two tenants alone. */

let deployment: TestApp;
let url: string;
let key: SigningKey;
let folder: string;

beforeAll(async () => {
  key = await createSigningKey('key-1');
  deployment = await createTestApp({ access: accessBy(key) });
  url = await deployment.app.listen({ host: '127.0.0.1', port: 0 });
  folder = await mkdtemp(join(tmpdir(), 'continuity-gate-evals-test-'));
});

afterAll(async () => {
  await deployment.close();
  await rm(folder, { recursive: true, force: true });
});

const tokenFor = (...allowed: Scope[]) =>
  mint(key, { tenants: ['evals-home', 'evals-other'], scope: allowed.join(' ') });

async function fileWith(name: string, content: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

const withoutAttesting = scopes.filter((scope) => scope !== 'state:attest');

describe('continuity-gate evals', () => {
  it('starts a gate of its own where no URL is given, and leaves nothing of it', async () => {
    const output = join(folder, 'report.html');
    const { exitCode, stdout } = await runCli([
      ...['evals', '--filter', 'has-time-left', '--filter', 'cg-034'],
      ...['--report', 'html', '--output', output],
    ]);

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Total +1 +0 +1 +0/);
    expect(stdout).toContain('pending  public_incidents/cg-034');
    expect(await readFile(output, 'utf8')).toContain('The approval has little time left');
  });

  it('tests a deployment with one token and two tenants, again and again', async () => {
    const token = await fileWith('token', `${await tokenFor(...withoutAttesting)}\n`);
    const args = [
      ...['evals', '--url', url, '--token-file', token, '--filter', 'identity_cannot_change'],
      ...['--tenant', 'evals-home', '--tenant', 'evals-other'],
    ];
    for (let times = 0; times < 2; times += 1) {
      const { exitCode, stdout } = await runCli(args);
      expect(stdout).toMatch(/Total +14 +0 +0 +0/);
      expect(exitCode).toBe(0);
    }
  });

  it('takes a token for each scope, counts what needs a second tenant, and reports in JUnit', async () => {
    const others = withoutAttesting.filter((scope) => scope !== 'rehydrate');
    const tokens = await fileWith(
      'tokens.json',
      JSON.stringify({ rehydrate: await tokenFor('rehydrate'), default: await tokenFor(...others) }),
    );
    const { exitCode, stdout } = await runCli([
      ...['evals', '--url', url, '--token-file', tokens, '--tenant', 'evals-home'],
      ...['--filter', 'another-tenant', '--filter', 'principal-suspended', '--report', 'junit'],
    ]);

    expect(exitCode).toBe(0);
    expect(stdout).toContain('tests="3" failures="0" errors="0" skipped="2"');
    expect(stdout).toContain('skipped: It needs a second tenant');
  });

  it('misses what a token may not do, exits with 1, and says so in JSON', async () => {
    const token = await fileWith('weak-token', await tokenFor('rehydrate'));
    const { exitCode, stdout } = await runCli([
      ...['evals', '--url', url, '--token-file', token, '--tenant', 'evals-home'],
      ...['--filter', 'principal-suspended', '--report', 'json'],
    ]);

    expect(exitCode).toBe(1);
    const { tally } = Value.Parse(Type.Object({ tally: Type.Unknown() }), JSON.parse(stdout));
    expect(tally).toEqual({ passed: 0, missed: 1, pending: 0, skipped: 0 });
    expect(stdout).toContain('was answered 403');
  });

  it('exits with 1 where there is no gate, and says who did not answer', async () => {
    const { exitCode, stderr } = await runCli([
      'evals',
      '--url',
      'http://127.0.0.1:1',
      '--filter',
      'has-time-left',
    ]);

    expect(exitCode).toBe(1);
    expect(stderr).toContain('http://127.0.0.1:1 did not answer PUT /tenants/');
  });

  it.each([
    [['--filter', 'nothing of the kind'], 1, 'No scenario'],
    [['--report', 'pdf'], 2, 'junit'],
    [['--concurrency', '0'], 2, 'from 1 to 99'],
    [['--scenarios', '/no/such/folder'], 1, '/no/such/folder'],
    [['--url', 'http://127.0.0.1:1', '--token-file', '/no/such/file'], 1, '/no/such/file'],
    [['--url', 'http://127.0.0.1:1', '--token-file', '/dev/null'], 1, 'neither one token nor'],
  ])('refuses %j', async (args, wanted, message) => {
    const { exitCode, stderr } = await runCli(['evals', ...args]);

    expect(exitCode).toBe(wanted);
    expect(stderr).toContain(message);
  });

  it('prints the schema of a scenario', async () => {
    const { stdout } = await runCli(['evals', '--print-schema']);

    expect(JSON.parse(stdout)).toMatchObject({ title: 'Scenario' });
  });
});
