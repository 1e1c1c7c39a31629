import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { scopes } from '../../src/http/auth/scopes.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { requestsOf } from '../support/requests.js';
import { runCli } from '../support/run-cli.js';
import { startService, type ServiceProcess } from '../support/service-process.js';

let directory: string;
let keyFile: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'continuity-gate-token-'));
  keyFile = join(directory, 'made', 'key.json');
});

afterAll(() => rm(directory, { recursive: true }));

describe('continuity-gate token', () => {
  it('makes a key for its owner alone, and a public one beside it', async () => {
    const { exitCode, stdout, stderr } = await token('--scope', 'rehydrate');

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    expect(stderr).toContain(`AUTH_JWKS_FILE=${publicFile()}`);
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
    const publicKeys = await readFile(publicFile(), 'utf8');
    expect(JSON.parse(publicKeys)).toEqual({
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          alg: 'EdDSA',
          use: 'sig',
          kid: expect.stringMatching(/^dev-/) as string,
          x: expect.any(String) as string,
        },
      ],
    });
    expect(publicKeys).not.toContain(await privatePart());
  });

  it('marks the token and says in it what it was told', async () => {
    const { stdout } = await token(
      ...['--scope', 'rehydrate', 'envelopes:write', '--tenant', 'second', '--tenant', 'third'],
      ...['--principal', 'user-1', 'user-2', '--ttl', '60', '--issuer', 'me', '--audience', 'gate'],
    );

    const minted = stdout.trim();
    const { kid } = decodeProtectedHeader(minted);
    expect(decodeProtectedHeader(minted)).toEqual({ alg: 'EdDSA', typ: 'dev+jwt', kid });
    expect(kid).toMatch(/^dev-/);
    const { iat = 0, ...claims } = decodeJwt(minted);
    expect(claims).toEqual({
      iss: 'me',
      aud: 'gate',
      sub: 'runtime-1',
      tenants: ['acme', 'second', 'third'],
      principals: ['user-1', 'user-2'],
      scope: 'rehydrate envelopes:write',
      exp: iat + 60,
    });
    expect(Math.abs(iat - Date.now() / 1_000)).toBeLessThan(30);
  });

  it('leaves principals out, and an hour to live, unless told otherwise', async () => {
    const { iat = 0, exp, ...claims } = decodeJwt((await token('--scope', 'trace:read')).stdout.trim());

    expect(claims).not.toHaveProperty('principals');
    expect(exp).toBe(iat + 3_600);
  });

  it('signs with the same key each time, also when it is first used twice at once', async () => {
    const fresh = join(directory, 'race', 'key.json');
    const made = await Promise.all([mint(fresh), mint(fresh), mint(fresh)]);
    const keys = JSON.parse(await readFile(publicFile(fresh), 'utf8')) as JSONWebKeySet;

    for (const { stdout } of made) {
      await expect(jwtVerify(stdout.trim(), createLocalJWKSet(keys))).resolves.toBeDefined();
    }
  });

  it.each([
    [['--scope', 'admin'], 'The scopes are envelopes:write, rehydrate,'],
    [['--scope', 'rehydrate,trace:read'], 'The scopes are'],
    [['--scope', 'rehydrate', '--tenant', ''], 'An id has 1 to 512 characters'],
    [['--scope', 'rehydrate', '--principal', 'two\nlines'], 'An id has 1 to 512 characters'],
    [['--scope', 'rehydrate', '--ttl', '0'], 'A life is a number of seconds'],
    [['--scope', 'rehydrate', '--ttl', '1e3'], 'A life is a number of seconds'],
    [['--scope', 'rehydrate', '--ttl', '2592001'], 'A life is a number of seconds'],
    [[], "required option '--scope <scope...>' not specified"],
  ])('refuses %j', async (args, error) => {
    const { exitCode, stdout, stderr } = await token(...args);

    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(error);
  });

  it.each(['--key-file', '--subject', '--tenant'])('refuses to go without %s', async (option) => {
    const args = ['--key-file', keyFile, '--subject', 'me', '--tenant', 'acme', '--scope', 'rehydrate'];
    args.splice(args.indexOf(option), 2);

    expect(await runCli(['token', ...args])).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('signs with no key that others can read, or that it has not made', async () => {
    const file = join(directory, 'other.json');
    await writeFile(file, await readFile(keyFile, 'utf8'));
    await chmod(file, 0o644);
    const open = await mint(file);
    await chmod(file, 0o600);
    await writeFile(file, (await readFile(keyFile, 'utf8')).replace('"dev-', '"prod-'));
    const foreign = await mint(file);
    await writeFile(file, 'not a key');
    const broken = await mint(file);

    expect([open, foreign, broken].map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual([
      [1, ''],
      [1, ''],
      [1, ''],
    ]);
    expect(open.stderr).toContain('can be read by others than its owner');
    expect(foreign.stderr).toContain('is not a key that this command has made');
    expect(broken.stderr).toContain('can not be read as JSON');
    expect(foreign.stderr).not.toContain(await privatePart());
  });

  it('says in a sentence that the key can not be made', async () => {
    const { exitCode, stdout, stderr } = await mint('/dev/null/key.json');

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^No token was made: \/dev\/null\/key\.json can not be made\.\n$/);
  });
});

describe('a service with AUTH_JWKS_FILE', () => {
  const run = requestsOf('acme');
  let store: TestDatabase;
  let service: ServiceProcess;

  beforeAll(async () => {
    await token('--scope', 'rehydrate');
    store = await createTestDatabase();
    service = await startService({
      ...settings(),
      AUTH_JWKS_FILE: publicFile(),
      ATTESTED_STATE: 'on',
    });
  });

  afterAll(async () => {
    await service.end('SIGTERM');
    await store.drop();
  });

  it('warns loudly that it trusts a development key', () => {
    const warnings = service
      .log()
      .split('\n')
      .filter((line) => line.includes('A DEVELOPMENT KEY IS TRUSTED'));

    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('"level":40');
    expect(warnings[0]).toMatch(/"kid":"dev-/);
    expect(service.log()).not.toContain('NO IDENTITY PROVIDER');
  });

  it('takes the token for what it says, and for nothing else', async () => {
    const tenants = ['--tenant', run.tenant_id];
    const runtime = await authorization(
      ...tenants,
      '--scope',
      'envelopes:write',
      'rehydrate',
      'state:attest',
    );
    const reader = await authorization(...tenants, '--scope', 'trace:read');

    expect(await statusOf('POST', '/envelopes', runtime, run.sealRequest())).toBe(201);
    expect(await statusOf('POST', '/rehydrate', runtime, run.rehydrateRequest())).toBe(200);
    expect(await statusOf('GET', `/trace-events?tenant_id=${run.tenant_id}`, reader)).toBe(200);
    expect(await statusOf('GET', '/trace-events', runtime)).toBe(403);
    expect(await statusOf('POST', '/envelopes', reader, run.sealRequest())).toBe(403);
    expect(await statusOf('GET', '/trace-events')).toBe(401);
    expect(await statusOf('GET', '/healthz')).toBe(200);
  });

  it('takes no token of another issuer, for another audience or of another key', async () => {
    const scope = ['--scope', ...scopes];
    const stranger = await mint(join(directory, 'stranger.json'), ...scope);

    expect(await statusOf('GET', '/trace-events', await authorization(...scope, '--issuer', 'x'))).toBe(401);
    expect(await statusOf('GET', '/trace-events', await authorization(...scope, '--audience', 'x'))).toBe(
      401,
    );
    expect(await statusOf('GET', '/trace-events', `Bearer ${stranger.stdout.trim()}`)).toBe(401);
    expect(await statusOf('GET', '/trace-events?tenant_id=acme', await authorization(...scope))).toBe(200);
  });

  it('does not start with a key file that is not fit, and says why in a sentence', async () => {
    await expect(startService({ ...settings(), AUTH_JWKS_FILE: keyFile })).rejects.toThrow(
      new Error(
        `The service ended at its start:\nThe identity provider's keys are not usable: ${keyFile} is not a JSON Web Key Set\n`,
      ),
    );
  });

  function settings(): Record<string, string> {
    return {
      DATABASE_URL: store.connectionString,
      CONTINUITY_DATA_DIR: directory,
      AUTH_ISSUER: 'continuity-gate-development',
      AUTH_AUDIENCE: 'continuity-gate',
    };
  }

  async function authorization(...args: string[]): Promise<string> {
    return `Bearer ${(await token(...args)).stdout.trim()}`;
  }

  async function statusOf(
    method: string,
    path: string,
    authorization?: string,
    body?: unknown,
  ): Promise<number> {
    const headers = {
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const payload = body === undefined ? {} : { body: JSON.stringify(body) };
    return (await fetch(`${service.url}${path}`, { method, headers, ...payload })).status;
  }
});

/** Mints a token for one tenant with the key of the test file. */
function token(...args: string[]) {
  return runCli(['token', '--key-file', keyFile, '--subject', 'runtime-1', '--tenant', 'acme', ...args]);
}

function mint(file: string, ...args: string[]) {
  const scope = args.includes('--scope') ? [] : ['--scope', 'rehydrate'];
  return runCli(['token', '--key-file', file, '--subject', 'me', '--tenant', 'acme', ...scope, ...args]);
}

function publicFile(file = keyFile): string {
  return file.replace(/\.json$/, '.jwks.json');
}

async function privatePart(): Promise<string> {
  const { d = '' } = JSON.parse(await readFile(keyFile, 'utf8')) as { d?: string };
  return d;
}
