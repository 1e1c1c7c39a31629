import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  CompactSign,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type CryptoKey,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';

import type { AccessOptions } from '../../src/http/plugins/access.js';

export const issuer = 'https://identity.test/';
export const audience = 'https://gate.test/';

/** A key pair of an identity provider. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

export async function createSigningKey(kid: string, alg = 'EdDSA'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

export function keySetOf(...keys: readonly SigningKey[]): JSONWebKeySet {
  return { keys: keys.map(({ publicJwk }) => publicJwk) };
}

/** Access by tokens of these keys. */
export function accessBy(
  keys: JWTVerifyGetKey | SigningKey,
  { attestedState = false }: { attestedState?: boolean } = {},
): AccessOptions {
  const getKey = typeof keys === 'function' ? keys : createLocalJWKSet(keySetOf(keys));
  return { mode: 'tokens', attestedState, rules: { keys: getKey, issuer, audience } };
}

/** Claims that make a valid token; what is undefined is left out of it. */
export function validClaims(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { iss: issuer, aud: audience, sub: 'caller-1', exp: secondsFromNow(600), ...changes };
}

/** A signed token that is valid but for the changes. */
export function mint(
  { kid, alg, privateKey }: SigningKey,
  changes: Readonly<Record<string, unknown>> = {},
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return new CompactSign(Buffer.from(JSON.stringify(validClaims(changes))))
    .setProtectedHeader({ alg, kid, ...header })
    .sign(privateKey, { crit: { x: true } });
}

export function secondsFromNow(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds;
}

export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** An identity provider's end of a JWKS URL, over real HTTP. */
export interface KeyServer {
  readonly url: URL;
  /** How often it was asked. */
  asked: number;
  /** What it answers from now on. */
  answer: (response: ServerResponse) => void;
  close(): Promise<void>;
}

/** Answers with the keys, until it is told otherwise. */
export async function startKeyServer(jwks: JSONWebKeySet): Promise<KeyServer> {
  const keyServer: KeyServer = {
    url: new URL('http://127.0.0.1'),
    asked: 0,
    answer: serving(jwks),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((_request, response) => {
    keyServer.asked += 1;
    keyServer.answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  keyServer.url.port = String((server.address() as AddressInfo).port);
  return keyServer;
}

export function serving(jwks: unknown): KeyServer['answer'] {
  return (response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(jwks));
}

/** The ways in which an identity provider is away. */
export const outages: Readonly<Record<string, KeyServer['answer']>> = {
  'answers 500': (response) => response.writeHead(500).end(),
  'answers what is not JSON': (response) => response.end('<html>Down for maintenance</html>'),
  'answers what is no key set': (response) => response.end('{"error":"down"}'),
  'redirects elsewhere': (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/keys' }).end(),
  'breaks the connection': (response) => response.destroy(),
  'says nothing': () => undefined,
  'stops in the middle': (response) => response.write('{"keys":['),
};
