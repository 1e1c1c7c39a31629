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
