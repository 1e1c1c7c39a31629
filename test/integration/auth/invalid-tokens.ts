import { createHmac } from 'node:crypto';

import { CompactSign, exportSPKI, importJWK, type CryptoKey, type JWK } from 'jose';

import { scopes } from '../../../src/http/auth/scopes.js';
import {
  audience,
  bearer,
  createSigningKey,
  issuer,
  mint,
  secondsFromNow,
  validClaims,
  type SigningKey,
} from '../../support/identity-provider.js';

/** A way of not being let in: what stands in `Authorization`, and what the challenge says is wrong with it. */
export interface InvalidToken {
  readonly name: string;
  readonly authorization: string | undefined;
  readonly challenge: 'Bearer' | 'Bearer error="invalid_token"';
}

/**
 * Every way of having no valid token that the matrix tries. But for its one fault, each token could do everything in the
 * tenant.
 */
export async function invalidTokens(trusted: SigningKey, tenantId: string): Promise<InvalidToken[]> {
  const everything = { tenants: [tenantId], scope: scopes.join(' ') };
  const valid = await mint(trusted, everything);
  const sameKid = await createSigningKey(trusted.kid, trusted.alg);
  const otherKid = await createSigningKey('other', trusted.alg);
  const rsa = await createSigningKey(trusted.kid, 'RS256');
  const wrong = async (name: string, token: string | Promise<string>): Promise<InvalidToken> => ({
    name,
    ...bearer(await token),
    challenge: 'Bearer error="invalid_token"',
  });
  const withClaims = (name: string, changes: Readonly<Record<string, unknown>>) =>
    wrong(name, mint(trusted, { ...everything, ...changes }));
  const none = (name: string, authorization?: string): InvalidToken => ({
    name,
    authorization,
    challenge: 'Bearer',
  });
  return [
    none('no token'),
    none('an empty header', ''),
    none('another scheme', `Basic ${Buffer.from('user:password').toString('base64')}`),
    none('a token without a scheme', valid),
    none('a scheme without a token', 'Bearer '),
    none('two tokens', `Bearer ${valid}, Bearer ${valid}`),
    ...(await Promise.all([
      wrong('garbage', 'garbage'),
      wrong('three parts of garbage', 'a.b.c'),
      wrong('a token without its signature', valid.replace(/[^.]*$/, '')),
      wrong('a token with other claims under its signature', withOtherClaims(valid, everything)),
      wrong('a signature by another key of the same id', mint(sameKid, everything)),
      wrong('a signature by a key that nobody trusts', mint(otherKid, everything)),
      wrong('an algorithm that the key is not for', mint(rsa, everything)),
      wrong('no signature at all', unsigned(everything)),
      wrong('HS256 with the public key as its secret, as JSON', signedWithPublicKey(trusted, everything)),
      wrong('HS256 with the public key as its secret, as PEM', signedWithPublicPem(trusted, everything)),
      wrong('an extension that must be understood', mint(trusted, everything, { crit: ['x'], x: 1 })),
    ])),
    ...(await Promise.all(
      ['continuity-receipt+jwt', 'dpop+jwt', 'logout+jwt', 'id_token', 'JWT2', ''].map((typ) =>
        wrong(`a token of the type ${typ}`, mint(trusted, everything, { typ })),
      ),
    )),
    ...(await Promise.all([
      wrong('an expiry that never comes', endless(trusted, everything)),
      withClaims('another issuer', { iss: 'https://other.test/' }),
      withClaims('no issuer', { iss: undefined }),
      withClaims('a list of issuers', { iss: [issuer] }),
      withClaims('another audience', { aud: 'https://other.test/' }),
      withClaims('no audience', { aud: undefined }),
      withClaims('an audience that only begins alike', { aud: `${audience}more` }),
      withClaims('an expiry that has passed', { exp: secondsFromNow(-60) }),
      withClaims('no expiry', { exp: undefined }),
      withClaims('an expiry in words', { exp: 'tomorrow' }),
      withClaims('a beginning that is yet to come', { nbf: secondsFromNow(60) }),
      withClaims('no subject', { sub: undefined }),
      withClaims('an empty subject', { sub: '' }),
      withClaims('a blank subject', { sub: ' ' }),
      withClaims('a subject that is a number', { sub: 7 }),
      withClaims('a subject of two lines', { sub: 'caller\n1' }),
      withClaims('a list of scopes', { scope: [...scopes] }),
      withClaims('one tenant, not a list', { tenants: tenantId }),
      withClaims('tenants of null', { tenants: null }),
      withClaims('a tenant of two dots', { tenants: [tenantId, '..'] }),
      withClaims('an empty tenant', { tenants: [tenantId, ''] }),
      withClaims('a wildcard that is no list', { tenants: { '*': true } }),
      withClaims('principals of null', { principals: null }),
      withClaims('one principal, not a list', { principals: 'user-1' }),
      withClaims('a principal that is a number', { principals: [1] }),
    ])),
  ];
}

/** A number that JSON can say and JavaScript can't hold. */
function endless({ kid, alg, privateKey }: SigningKey, claims: Readonly<Record<string, unknown>>) {
  const text = JSON.stringify(validClaims({ ...claims, exp: 0 })).replace('"exp":0', '"exp":1e999');
  return new CompactSign(Buffer.from(text)).setProtectedHeader({ alg, kid }).sign(privateKey);
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function withOtherClaims(token: string, claims: Readonly<Record<string, unknown>>): string {
  const [header = '', , signature = ''] = token.split('.');
  return [header, encoded(validClaims({ ...claims, sub: 'caller-2' })), signature].join('.');
}

function unsigned(claims: Readonly<Record<string, unknown>>): string {
  return `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(validClaims(claims))}.`;
}

function signedWithPublicKey(
  { kid, publicJwk }: SigningKey,
  claims: Readonly<Record<string, unknown>>,
): string {
  return hs256(kid, JSON.stringify(publicJwk), claims);
}

async function signedWithPublicPem(
  { kid, alg, publicJwk }: SigningKey,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  return hs256(kid, await exportSPKI(await publicKeyOf(publicJwk, alg)), claims);
}

async function publicKeyOf(jwk: JWK, alg: string): Promise<CryptoKey> {
  const key = await importJWK(jwk, alg, { extractable: true });
  if (key instanceof Uint8Array) throw new Error('A public key is not symmetric');
  return key;
}

function hs256(kid: string, secret: string, claims: Readonly<Record<string, unknown>>): string {
  const content = `${encoded({ alg: 'HS256', kid })}.${encoded(validClaims(claims))}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}
