import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';

import { afterAll, describe, expect, it } from 'vitest';

import { readConfig } from '../../../src/config.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const gates: TestApp[] = [];
const gate = await openGate({});

afterAll(async () => {
  for (const each of gates.reverse()) await each.close();
});

describe('open on loopback', () => {
  it.each(['localhost', 'localhost:8080', '127.0.0.1', '127.0.0.1:8080', '[::1]', '[::1]:8080'])(
    'answers to the loopback name %s',
    async (host) => {
      expect(await statusOf(gate, host)).toBe(200);
    },
  );

  it.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    'localhost.evil.example:8080',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io:8080',
    'evil-localhost',
    '0.0.0.0:8080',
    '10.0.0.1',
    '127.0.0.2',
    '[::]:8080',
    '[fe80::1]:8080',
    '[::ffff:10.0.0.1]',
    '::1',
    'evil.example, localhost',
    'evil.example localhost',
    'localhost:evil.example',
    'localhost:8080, evil.example',
    'localhost:8080:8080',
    'localhost:',
    '127.0.0.1:80a',
    '[::1]evil.example',
    '[::1].evil.example:8080',
    'LOCALHOST.evil.example:8080',
  ])('refuses the name %j, which a page elsewhere may have made', async (host) => {
    expect(await statusOf(gate, host)).toBe(403);
  });

  it('refuses a foreign name on every path, and changes nothing', async () => {
    const headers = { host: 'evil.example', 'content-type': 'application/json' };
    const call = async (method: 'GET' | 'POST' | 'PUT', url: string) =>
      (await gate.app.inject({ method, url, headers, ...(method !== 'GET' && { payload: '{}' }) }))
        .statusCode;

    expect(await call('GET', '/healthz')).toBe(403);
    expect(await call('GET', '/openapi.json')).toBe(403);
    expect(await call('GET', '/docs')).toBe(403);
    expect(await call('GET', '/metrics')).toBe(403);
    expect(await call('GET', '/trace-events?tenant_id=acme')).toBe(403);
    expect(await call('GET', '/no/such/route')).toBe(403);
    expect(await call('PUT', '/tenants/acme/policy')).toBe(403);
    expect(await call('POST', '/envelopes')).toBe(403);
    const rehydration = await gate.app.inject({ method: 'POST', url: '/rehydrate', headers, payload: '{}' });
    expect(rehydration.statusCode).toBe(403);
    expect(rehydration.json()).toMatchObject({
      status: 'continuity_validation_failed',
      reason: 'forbidden',
      authorized: false,
    });
  });

  it('takes the name from the Host header alone', async () => {
    const forwarded = { host: 'evil.example', 'x-forwarded-host': 'localhost', forwarded: 'host=localhost' };

    expect((await gate.app.inject({ url: '/healthz', headers: forwarded })).statusCode).toBe(403);
  });

  it('refuses a request over a socket that names no host', async () => {
    const { port } = await listening(gate);

    expect(await overSocket(port, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await overSocket(port, 'GET /healthz HTTP/1.0\r\nHost:\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await overSocket(port, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 /,
    );
  });

  it('ignores bearer tokens', async () => {
    const answer = await gate.inject({
      method: 'GET',
      url: '/trace-events?tenant_id=acme',
      headers: { host: 'localhost', authorization: 'Bearer not.a.token' },
    });

    expect(answer.status).toBe(200);
  });

  it('lets no page of a browser write, or read an answer', async () => {
    const headers = { host: 'localhost:8080', origin: 'https://evil.example' };
    const simple = await gate.app.inject({
      method: 'POST',
      url: '/envelopes',
      headers: { ...headers, 'content-type': 'text/plain' },
      payload: '{}',
    });
    const preflight = await gate.app.inject({
      method: 'OPTIONS',
      url: '/envelopes',
      headers: { ...headers, 'access-control-request-method': 'POST' },
    });
    const read = await gate.app.inject({ url: '/trace-events?tenant_id=acme', headers });

    expect(simple.statusCode).toBe(415);
    expect(preflight.statusCode).toBe(404);
    for (const answer of [simple, preflight, read]) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

it.each([
  ['127.0.0.2', '127.0.0.2:8080'],
  ['::1', '[::1]:8080'],
  ['localhost', 'localhost:8080'],
])('open on %s, answers to the name %s', async (HOST, host) => {
  expect(await statusOf(await openGate({ HOST }), host)).toBe(200);
});

it('open on loopback with AUTH_OPEN, still answers to loopback names alone', async () => {
  expect(await statusOf(await openGate({ AUTH_OPEN: 'yes' }), 'evil.example')).toBe(403);
});

it('open beyond loopback on purpose, answers to every name, and takes no attested state', async () => {
  const settings = { HOST: '0.0.0.0', AUTH_OPEN: 'yes' };

  expect(await statusOf(await openGate(settings), 'gate.internal:8080')).toBe(200);
  expect(readConfig(settings).attestedState).toBe(false);
});

it('is not open beyond loopback unless someone meant it', () => {
  expect(() => readConfig({ HOST: '0.0.0.0' })).toThrow('AUTH_OPEN=yes');
  expect(() => readConfig({ HOST: '::' })).toThrow('AUTH_OPEN=yes');
  expect(() => readConfig({ HOST: 'localhost.evil.example' })).toThrow('AUTH_OPEN=yes');
});

/** A gate that is open as these settings make it. */
async function openGate(settings: NodeJS.ProcessEnv): Promise<TestApp> {
  const { attestedState, hostNames } = readConfig(settings);
  const [first] = gates;
  const opened = await createTestApp({
    access: { mode: 'open', attestedState, hostNames },
    ...(first && { connectionString: first.connectionString }),
  });
  gates.push(opened);
  return opened;
}

async function statusOf({ app }: TestApp, host: string): Promise<number> {
  return (await app.inject({ url: '/healthz', headers: { host } })).statusCode;
}

async function listening({ app }: TestApp): Promise<AddressInfo> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app.server.address() as AddressInfo;
}

async function overSocket(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const answer: Buffer[] = [];
  socket.on('data', (chunk) => answer.push(chunk));
  socket.write(request);
  await once(socket, 'close');
  return Buffer.concat(answer).toString('utf8');
}
