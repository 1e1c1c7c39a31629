import { describe, expect, it } from 'vitest';

import { ConfigError, readConfig } from '../../src/config.js';

const issuer = { AUTH_ISSUER: 'https://identity.example/', AUTH_AUDIENCE: 'gate' };
const url = { AUTH_JWKS_URL: 'https://identity.example/keys' };
const file = { AUTH_JWKS_FILE: 'keys.json' };

describe('an identity provider', () => {
  it.each([
    ['https://identity.example/keys'],
    ['https://10.0.0.1:8443/keys?version=2'],
    ['http://localhost:9000/keys'],
    ['http://127.0.0.1/keys'],
    ['http://[::1]:9000/keys'],
  ])('may have its keys at %s', (AUTH_JWKS_URL) => {
    const { identityProvider, hostNames } = readConfig({ ...issuer, AUTH_JWKS_URL });

    expect(identityProvider).toEqual({
      issuer: issuer.AUTH_ISSUER,
      audience: issuer.AUTH_AUDIENCE,
      jwks: { url: new URL(AUTH_JWKS_URL) },
    });
    expect(hostNames).toBeUndefined();
  });

  it.each([
    ['http://identity.example/keys'],
    ['http://localhost.example/keys'],
    ['http://127.0.0.1.example/keys'],
    ['http://0.0.0.0/keys'],
    ['https://user:secret@identity.example/keys'],
    ['https://user@identity.example/keys'],
    ['file:///etc/keys.json'],
    ['identity.example/keys'],
    ['https://'],
    ['https://:99999/'],
  ])('may not have its keys at %s', (AUTH_JWKS_URL) => {
    const problems = problemsOf({ ...issuer, AUTH_JWKS_URL });

    expect(problems).toEqual([expect.stringMatching(/^AUTH_JWKS_URL is malformed: /)]);
    expect(problems.join()).not.toContain('secret');
  });

  it('may have its keys in a file, wherever the service listens', () => {
    const { identityProvider } = readConfig({ ...issuer, ...file, HOST: '0.0.0.0' });

    expect(identityProvider?.jwks).toEqual({ file: expect.stringMatching(/^\/.*keys\.json$/) as string });
  });

  it.each([
    [{ ...url, AUTH_AUDIENCE: 'gate' }, ['AUTH_ISSUER is required with an identity provider']],
    [{ ...file, AUTH_ISSUER: 'me' }, ['AUTH_AUDIENCE is required with an identity provider']],
    [
      url,
      [
        'AUTH_ISSUER is required with an identity provider',
        'AUTH_AUDIENCE is required with an identity provider',
      ],
    ],
    [
      { ...issuer },
      [
        'AUTH_ISSUER is set, but neither AUTH_JWKS_URL nor AUTH_JWKS_FILE is',
        'AUTH_AUDIENCE is set, but neither AUTH_JWKS_URL nor AUTH_JWKS_FILE is',
      ],
    ],
    [
      { ...issuer, ...url, ...file },
      ['AUTH_JWKS_URL and AUTH_JWKS_FILE exclude each other: set one of them'],
    ],
    [{ ...issuer, ...url, AUTH_OPEN: 'yes' }, ['AUTH_OPEN=yes and an identity provider exclude each other']],
    [{ ...issuer, ...url, AUTH_JWKS: 'keys.json' }, ['AUTH_JWKS is not a setting of this service']],
  ])('is refused half configured, or twice: %j', (settings, problems) => {
    expect(problemsOf(settings)).toEqual(problems);
  });
});

describe('without an identity provider', () => {
  it.each([['127.0.0.1'], ['127.8.0.1'], ['::1'], ['localhost']])('is open on %s', (HOST) => {
    const { identityProvider, hostNames, attestedState } = readConfig({ HOST });

    expect(identityProvider).toBeUndefined();
    expect(hostNames).toContain(HOST);
    expect(attestedState).toBe(true);
  });

  it.each([['0.0.0.0'], ['::'], ['10.0.0.1'], ['128.0.0.1'], ['gate.example'], ['localhost.example']])(
    'does not start on %s, unless someone meant it',
    (HOST) => {
      expect(problemsOf({ HOST })).toEqual([expect.stringContaining(`HOST is ${HOST}, beyond loopback`)]);

      const { identityProvider, hostNames, attestedState } = readConfig({ HOST, AUTH_OPEN: 'yes' });
      expect({ identityProvider, hostNames, attestedState }).toEqual({
        identityProvider: undefined,
        hostNames: undefined,
        attestedState: false,
      });
    },
  );

  it.each(['no', 'true', 'YES', '1', ' yes'])(
    'takes AUTH_OPEN=%s for nothing that someone meant',
    (AUTH_OPEN) => {
      expect(problemsOf({ HOST: '0.0.0.0', AUTH_OPEN })).toEqual([
        expect.stringMatching(/^AUTH_OPEN is malformed: /),
      ]);
    },
  );
});

it('a near miss of a setting is refused, with the name that was meant', () => {
  expect(problemsOf({ DATABSE_URL: 'postgres://localhost/gate' })).toEqual([
    'DATABSE_URL is not a setting of this service: did you mean DATABASE_URL?',
  ]);
  expect(readConfig({ HOME: '/home/gate', PORTS: '1' }).port).toBe(8080);
});

describe('the connections to the store', () => {
  it('are as many, and wait as long, as it is set', () => {
    const { database } = readConfig({
      DATABASE_POOL_SIZE: '3',
      DATABASE_MAX_WAITING: '50',
      DATABASE_CONNECT_TIMEOUT_MS: '700',
      DATABASE_LOCK_TIMEOUT_MS: '800',
      DATABASE_STATEMENT_TIMEOUT_MS: '900',
    });

    expect(database).toEqual({
      maxConnections: 3,
      maxWaiting: 50,
      connectTimeoutMs: 700,
      lockTimeoutMs: 800,
      statementTimeoutMs: 900,
    });
  });

  it('wait for a lock for less than a statement may take', () => {
    expect(problemsOf({ DATABASE_LOCK_TIMEOUT_MS: '4000' })).toEqual([
      expect.stringMatching(/^DATABASE_LOCK_TIMEOUT_MS is not less than DATABASE_STATEMENT_TIMEOUT_MS/),
    ]);
  });

  it.each(['0', '-1', '1000000', 'many'])('may not be %s', (DATABASE_POOL_SIZE) => {
    expect(problemsOf({ DATABASE_POOL_SIZE })).toEqual([
      expect.stringMatching(/^DATABASE_POOL_SIZE is malformed/),
    ]);
  });
});

describe('attested state', () => {
  it.each([
    [{}, true],
    [{ HOST: '::1' }, true],
    [{ ATTESTED_STATE: 'off' }, false],
    [{ ATTESTED_STATE: '' }, true],
    [{ ...issuer, ...url }, false],
    [{ ...issuer, ...url, ATTESTED_STATE: 'on' }, true],
    [{ HOST: '0.0.0.0', AUTH_OPEN: 'yes' }, false],
    [{ HOST: '0.0.0.0', AUTH_OPEN: 'yes', ATTESTED_STATE: 'on' }, true],
  ])('with %j: %s', (settings, accepted) => {
    expect(readConfig(settings).attestedState).toBe(accepted);
  });

  it('is on or off and nothing else', () => {
    expect(problemsOf({ ATTESTED_STATE: 'yes' })).toEqual([
      expect.stringMatching(/^ATTESTED_STATE is malformed: /),
    ]);
  });
});

function problemsOf(settings: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(settings);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('These settings are usable');
}
