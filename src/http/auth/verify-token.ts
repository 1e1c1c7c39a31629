import {
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
} from 'jose';

import { developmentTokenType } from './development-keys.js';
import { isScope, type Scope } from './scopes.js';
import { identifierMaxLength } from '../../domain/schemas.js';
import { hasControlCharacter, isDots, isLongerThan, trimWhiteSpace } from '../../domain/text.js';

/** What the gate takes from a verified token. */
export interface TokenClaims {
  readonly subject: string;
  /** The tenants that the token may touch; empty if it names none. */
  readonly tenants: readonly string[];
  /** The principals that it may speak for; null: any of its tenants. */
  readonly principals: readonly string[] | null;
  /** Its scopes, as far as the gate knows them. */
  readonly scopes: ReadonlySet<Scope>;
}

export interface TokenRules {
  readonly keys: JWTVerifyGetKey;
  readonly issuer: string;
  readonly audience: string;
}

/** The token is not valid. The message never repeats any of it. */
export class InvalidTokenError extends Error {}

/** The identity provider's keys can't be had, so that nothing can be said about the token. */
export class KeysUnavailableError extends Error {}

/**
 * Signatures that only the holder of a private key can make. A symmetric one could be made by everyone who verifies, and
 * `none` by everyone.
 */
const algorithms = [
  'EdDSA',
  'Ed25519',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];

/** Seconds by which the clocks of the identity provider and the gate may differ. */
const clockToleranceSeconds = 5;

/** Verifies a bearer token. Throws `InvalidTokenError`, or `KeysUnavailableError` when it can't be told. */
export async function verifyToken(
  token: string,
  { keys, issuer, audience }: TokenRules,
): Promise<TokenClaims> {
  const { payload, protectedHeader } = await verifySignature(token, keys, {
    issuer,
    audience,
    algorithms,
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ['exp', 'sub'],
  }).catch((error: unknown) => {
    throw isAboutToken(error)
      ? new InvalidTokenError('The bearer token is not valid', { cause: error })
      : new KeysUnavailableError('The keys of the identity provider cannot be fetched', { cause: error });
  });
  if (!isTokenType(protectedHeader.typ)) throw new InvalidTokenError('The bearer token is of another type');
  return claimsOf(payload);
}

/** A token that names no key is tried with every key that could have signed it: during a rotation there are two. */
async function verifySignature(
  token: string,
  keys: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, keys, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, options);
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw error;
  }
}

/**
 * Whether the header's `typ` is one of an access token. Many identity providers leave it out; one that signs other things
 * with the same key says so here, and none of those may pass for a token.
 */
function isTokenType(typ: string | undefined): boolean {
  return typ === undefined || tokenTypes.has(typ.toLowerCase().replace(/^application\//, ''));
}

const tokenTypes = new Set(['jwt', 'at+jwt', developmentTokenType]);

/** Whatever else goes wrong, a fetch of the keys above all, says nothing about the token. */
function isAboutToken(error: unknown): boolean {
  return error instanceof errors.JOSEError && tokenFaults.has(error.code);
}

const tokenFaults = new Set<string>([
  errors.JWTExpired.code,
  errors.JWTClaimValidationFailed.code,
  errors.JWTInvalid.code,
  errors.JWSInvalid.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWKSNoMatchingKey.code,
  errors.JWKSMultipleMatchingKeys.code,
]);

function claimsOf(payload: JWTPayload): TokenClaims {
  const { sub: subject = '', scope = '', tenants = [], principals, exp } = payload as Record<string, unknown>;
  // A number that is too large for JavaScript is read as infinite, and such a token would never end.
  if (!Number.isFinite(exp)) throw malformed('exp');
  if (typeof subject !== 'string' || !isClaimId(subject)) throw malformed('sub');
  if (typeof scope !== 'string') throw malformed('scope');
  if (!isIdentifierList(tenants)) throw malformed('tenants');
  // Absent it means any, so that nothing else may pass for absent.
  if (principals !== undefined && !isIdentifierList(principals)) throw malformed('principals');
  return {
    subject,
    tenants,
    principals: principals ?? null,
    scopes: new Set(scope.split(' ').filter(isScope)),
  };
}

function malformed(claim: string): InvalidTokenError {
  return new InvalidTokenError(`The bearer token's claim ${claim} is malformed`);
}

function isIdentifierList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && isClaimId(item));
}

/** Whether a claim may name a subject, tenant or principal so: as the same id reads in a body once it is trimmed. */
export function isClaimId(text: string): boolean {
  return (
    text !== '' &&
    trimWhiteSpace(text) === text &&
    text.isWellFormed() &&
    !hasControlCharacter(text, { multiline: false }) &&
    !isLongerThan(text, identifierMaxLength) &&
    !isDots(text)
  );
}
