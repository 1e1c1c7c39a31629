import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createLocalJWKSet, exportJWK, type JWTVerifyGetKey } from 'jose';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';

import {
  fileKeys,
  KeyFileError,
  remoteKeys,
  type KeySource,
  type RemoteKeyOptions,
} from '../../../src/http/auth/key-sources.js';
import { buildApp } from '../../../src/http/build-app.js';
import { inspectRequestExample } from '../../../src/http/openapi/examples.js';
import { Database } from '../../../src/store/database.js';
import {
  accessBy,
  bearer,
  createSigningKey,
  keySetOf,
  mint,
  outages,
  secondsFromNow,
  serving,
  startKeyServer,
  type KeyServer,
  type SigningKey,
} from '../../support/identity-provider.js';
import { testReceipts } from '../../support/test-receipts.js';

const first = await createSigningKey('first');
const second = await createSigningKey('second');
const asked: { keys: JWTVerifyGetKey } = { keys: createLocalJWKSet(keySetOf(first)) };
const cleanUps: (() => unknown)[] = [];

// What it is asked here needs no store.
const database = new Database({ connectionString: 'postgres://nowhere.invalid' });
const app = await buildApp({
  database,
  schemaVersion: 0,
  access: accessBy((header, token) => asked.keys(header, token)),
  receipts: await testReceipts(),
});

afterAll(async () => {
  await app.close();
  await database.close();
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

describe('keys behind a URL', () => {
  it('are fetched once for all tokens', async () => {
    const { provider, gate } = await startBoth();
    const token = await mint(first);

    expect(await Promise.all(Array.from({ length: 20 }, () => gate.ask(token)))).toEqual(
      Array.from({ length: 20 }, () => 200),
    );
    expect(provider.asked).toBe(1);
  });

  it('are fetched anew when a token names a new one', async () => {
    const { provider, gate } = await startBoth({ cooldownMs: 0 });
    expect(await gate.ask(await mint(first))).toBe(200);

    provider.answer = serving(keySetOf(first, second));

    expect(await gate.ask(await mint(second))).toBe(200);
    expect(await gate.ask(await mint(first))).toBe(200);
  });

  it('are not fetched anew for every token that names one made up', async () => {
    const { provider, gate } = await startBoth();
    expect(await gate.ask(await mint(first))).toBe(200);

    for (let index = 0; index < 20; index += 1) {
      expect(await gate.ask(await mint(second, {}, { kid: `made-up-${index}` }))).toBe(401);
    }

    expect(provider.asked).toBe(1);
  });

  it('stop being trusted once they are withdrawn', async () => {
    const { provider, gate } = await startBoth({ refreshMs: 20 });
    expect(await gate.ask(await mint(first))).toBe(200);

    provider.answer = serving(keySetOf(second));

    await vi.waitFor(async () => {
      expect(await gate.ask(await mint(first))).toBe(401);
    }, 5_000);
    expect(await gate.ask(await mint(second))).toBe(200);
  });

  it('are no longer asked for once the service has closed', async () => {
    const { provider, source } = await startBoth({ refreshMs: 10 });
    await vi.waitFor(() => {
      expect(provider.asked).toBeGreaterThan(1);
    });

    source.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { asked } = provider;
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect(provider.asked).toBe(asked);
  });

  it.each(['RS256', 'PS512', 'ES256', 'EdDSA'])('may be for %s', async (alg) => {
    const key = await createSigningKey('key', alg);
    const provider = await startProvider(key);

    expect(await gateBy(openKeys(provider).keys).ask(await mint(key))).toBe(200);
  });

  it('are all tried for a token that names none of them', async () => {
    const provider = await startProvider(first, second);
    const gate = gateBy(openKeys(provider).keys);
    const stranger = await createSigningKey('first');

    expect(await gate.ask(await mint(first, {}, { kid: undefined }))).toBe(200);
    expect(await gate.ask(await mint(second, {}, { kid: undefined }))).toBe(200);
    expect(await gate.ask(await mint(second, { exp: secondsFromNow(-60) }, { kid: undefined }))).toBe(401);
    expect(await gate.ask(await mint(stranger, {}, { kid: undefined }))).toBe(401);
  });

  it('are told by their ids, by the time that a token names them', async () => {
    const told: string[] = [];
    const { provider, gate } = await startBoth({ cooldownMs: 0, onKey: (kid) => told.push(kid) });
    await vi.waitFor(() => {
      expect(told).toEqual(['first']);
    });
    provider.answer = serving(keySetOf(first, second));

    await gate.ask(await mint(second));

    expect(told).toEqual(['first', 'second']);
  });
});

describe.each(Object.entries(outages))('while the identity provider %s', (_name, outage) => {
  it('the keys that are known stay good', async () => {
    const failures: unknown[] = [];
    const { provider, gate } = await startBoth({
      refreshMs: 20,
      timeoutMs: 100,
      onFailure: (error) => failures.push(error),
    });
    expect(await gate.ask(await mint(first))).toBe(200);

    provider.answer = outage;

    await vi.waitFor(() => {
      expect(failures.length).toBeGreaterThan(0);
    }, 5_000);
    expect(await gate.ask(await mint(first))).toBe(200);
    expect(await gate.ask(await mint(first, { exp: secondsFromNow(-60) }))).toBe(401);
    expect(await gate.ask(`${await mint(first)}x`)).toBe(401);
  });

  it('a key that is not known stops everyone in time, and nobody is told to authenticate', async () => {
    const { provider, gate } = await startBoth({ cooldownMs: 0, timeoutMs: 200 });
    expect(await gate.ask(await mint(first))).toBe(200);
    provider.answer = outage;
    const token = await mint(second);
    const started = performance.now();

    const inspection = await gate.send(inspect, token);
    const rehydration = await gate.send(resume, token);

    expect(performance.now() - started).toBeLessThan(3_000);
    expect(inspection.statusCode).toBe(503);
    expect(inspection.headers).toMatchObject({ 'retry-after': '1' });
    expect(inspection.headers).not.toHaveProperty('www-authenticate');
    expect(inspection.json()).toMatchObject({ code: 'identity_provider_unavailable' });
    expect(rehydration.statusCode).toBe(503);
    expect(rehydration.headers['content-type']).toMatch(/^application\/json/);
    expect(rehydration.json()).toMatchObject({
      status: 'continuity_validation_failed',
      reason: 'identity_provider_unavailable',
      authorized: false,
      requires_reauthorization: true,
    });
  });

  it('a gate that has just started knows nobody, and everybody once it is back', async () => {
    const provider = await startProvider(first);
    const serve = provider.answer;
    provider.answer = outage;
    const gate = gateBy(openKeys(provider, { timeoutMs: 100 }).keys);
    expect(await gate.ask(await mint(first))).toBe(503);

    provider.answer = serve;

    await vi.waitFor(async () => {
      expect(await gate.ask(await mint(first))).toBe(200);
    }, 5_000);
  });
});

it('trusts no key of a provider that publishes private ones', async () => {
  const leaked = { keys: [{ ...(await exportJWK(first.privateKey)), kid: 'first' }] };
  const provider = await startProvider();
  provider.answer = serving(leaked);

  expect(await gateBy(openKeys(provider).keys).ask(await mint(first))).toBe(503);
});

describe('keys in a file', () => {
  it('are trusted, and told by their ids', async () => {
    const told: string[] = [];
    const file = await fileWith(JSON.stringify(keySetOf(first, second)));
    const gate = gateBy((await fileKeys(file, (kid) => told.push(kid))).keys);

    expect(await gate.ask(await mint(first))).toBe(200);
    expect(await gate.ask(await mint(second))).toBe(200);
    expect(await gate.ask(await mint(await createSigningKey('third')))).toBe(401);
    expect(told).toEqual(['first', 'second']);
  });

  it.each([
    ['is not JSON', '-----BEGIN PUBLIC KEY-----', 'can not be read as JSON'],
    ['is one key', JSON.stringify(first.publicJwk), 'is not a JSON Web Key Set'],
    ['is empty', '{"keys":[]}', 'holds no key'],
    [
      'holds a private key',
      JSON.stringify({ keys: [first.publicJwk, { ...first.publicJwk, d: 'AA' }] }),
      'holds a key that is not public',
    ],
    [
      'holds a symmetric key',
      '{"keys":[{"kty":"oct","k":"c2VjcmV0","kid":"shared"}]}',
      'holds a key that is not public',
    ],
  ])('are refused where the file %s', async (_name, content, problem) => {
    const file = await fileWith(content);
    const opening = fileKeys(file, () => undefined);

    await expect(opening).rejects.toThrow(`The identity provider's keys are not usable: ${file} ${problem}`);
    await expect(opening).rejects.toBeInstanceOf(KeyFileError);
  });

  it('are refused where there is no file', async () => {
    await expect(fileKeys('/nowhere/keys.json', () => undefined)).rejects.toThrow(
      '/nowhere/keys.json can not be read as JSON',
    );
  });
});

const inspect = { method: 'POST', url: '/inspect-continuity', payload: inspectRequestExample } as const;
const resume = { method: 'POST', url: '/rehydrate', payload: {} } as const;

/** The gate, made to ask these keys from now on. */
function gateBy(keys: JWTVerifyGetKey) {
  asked.keys = keys;
  const send = (request: typeof inspect | typeof resume, token: string) =>
    app.inject({ ...request, headers: bearer(token) });
  return { send, ask: async (token: string) => (await send(inspect, token)).statusCode };
}

async function startProvider(...keys: readonly SigningKey[]): Promise<KeyServer> {
  const provider = await startKeyServer(keySetOf(...keys));
  cleanUps.push(() => provider.close());
  return provider;
}

function openKeys(provider: KeyServer, options: Partial<RemoteKeyOptions> = {}): KeySource {
  const source = remoteKeys(provider.url, {
    onKey: () => undefined,
    onFailure: () => undefined,
    ...options,
  });
  cleanUps.push(() => {
    source.close();
  });
  return source;
}

/** A provider with the first key, and a gate that asks it. */
async function startBoth(options: Partial<RemoteKeyOptions> = {}) {
  const provider = await startProvider(first);
  const source = openKeys(provider, options);
  return { provider, source, gate: gateBy(source.keys) };
}

async function fileWith(content: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'continuity-gate-keys-'));
  cleanUps.push(() => rm(directory, { recursive: true }));
  const file = join(directory, 'keys.json');
  await writeFile(file, content);
  return file;
}
