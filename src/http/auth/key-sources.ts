import {
  createLocalJWKSet,
  createRemoteJWKSet,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';

import { readKeyFile, type NotUsable } from '../../key-files.js';

/** Where the identity provider's public keys come from. */
export interface KeySource {
  readonly keys: JWTVerifyGetKey;
  /** Stops looking for newer keys. */
  close(): void;
}

export interface RemoteKeyOptions {
  /** Called with the id of every key that is trusted, by the time that a token names it at the latest. */
  readonly onKey: (kid: string) => void;
  /** Called when a fetch failed that nobody waited for. */
  readonly onFailure: (error: unknown) => void;
  /** How often the keys are fetched anew, so that a withdrawn key stops being trusted. */
  readonly refreshMs?: number;
  /** For how long after a fetch no unknown key leads to the next one: not every made-up token is to cost a fetch. */
  readonly cooldownMs?: number;
  readonly timeoutMs?: number;
}

/**
 * The keys behind a URL.
 *
 * They are fetched when a token names one that isn't known, and anew every few minutes. While the identity provider is
 * away the known keys stay good: its outage does not become ours.
 */
export function remoteKeys(
  url: URL,
  { onKey, onFailure, refreshMs = 5 * 60 * 1_000, cooldownMs = 10_000, timeoutMs = 3_000 }: RemoteKeyOptions,
): KeySource {
  const keys = createRemoteJWKSet(url, {
    cacheMaxAge: Infinity,
    cooldownDuration: cooldownMs,
    timeoutDuration: timeoutMs,
  });
  const refresh = () => {
    keys
      .reload()
      .then(() => {
        tellKeys(keys.jwks()?.keys ?? [], onKey);
      })
      .catch(onFailure);
  };
  refresh();
  const timer = setInterval(refresh, refreshMs);
  timer.unref();
  return {
    keys: async (header, token) => {
      const key = await keys(header, token);
      if (header.kid !== undefined) onKey(header.kid);
      return key;
    },
    close: () => {
      clearInterval(timer);
    },
  };
}

/** A key file that tokens can't be verified with, in words for the operator. */
export class KeyFileError extends Error {
  constructor(file: string, problem: string, cause?: unknown) {
    super(`The identity provider's keys are not usable: ${file} ${problem}`, { cause });
  }
}

/** The keys in a file, read once. Throws `KeyFileError`. */
export async function fileKeys(file: string, onKey: (kid: string) => void): Promise<KeySource> {
  const jwks = await readKeySet(file);
  tellKeys(jwks.keys, onKey);
  return { keys: createLocalJWKSet(jwks), close: () => undefined };
}

function tellKeys(keys: readonly JWK[], onKey: (kid: string) => void): void {
  for (const { kid } of keys) if (kid !== undefined) onKey(kid);
}

async function readKeySet(file: string): Promise<JSONWebKeySet> {
  const notUsable: NotUsable = (problem, cause) => new KeyFileError(file, problem, cause);
  const jwks = (await readKeyFile(file, notUsable)) as JSONWebKeySet;
  try {
    createLocalJWKSet(jwks);
  } catch (cause) {
    throw notUsable('is not a JSON Web Key Set', cause);
  }
  if (jwks.keys.length === 0) throw notUsable('holds no key');
  // Anyone who can read a private or a symmetric key can sign tokens with it.
  if (jwks.keys.some(({ d, k }) => d !== undefined || k !== undefined)) {
    throw notUsable('holds a key that is not public');
  }
  return jwks;
}
