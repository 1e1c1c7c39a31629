import { readFile } from 'node:fs/promises';

import { createLocalJWKSet, createRemoteJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** Where the identity provider's public keys come from. */
export interface KeySource {
  readonly keys: JWTVerifyGetKey;
  /** Stops looking for newer keys. */
  close(): void;
}

/** How often the keys are fetched anew, so that a withdrawn key stops being trusted. */
const refreshInterval = 5 * 60 * 1_000;

/**
 * The keys behind a URL.
 *
 * They are fetched when a token names one that isn't known, and anew every few minutes. While the identity provider is
 * away the known keys stay good: an outage of theirs is none of ours.
 */
export function remoteKeys(url: URL, onFailure: (error: unknown) => void): KeySource {
  const keys = createRemoteJWKSet(url, {
    cacheMaxAge: Infinity,
    cooldownDuration: 10_000,
    timeoutDuration: 3_000,
  });
  const refresh = () => void keys.reload().catch(onFailure);
  refresh();
  const timer = setInterval(refresh, refreshInterval);
  timer.unref();
  return {
    keys,
    close: () => {
      clearInterval(timer);
    },
  };
}

/** The keys in a file, read once. */
export async function fileKeys(path: string): Promise<KeySource> {
  const jwks = JSON.parse(await readFile(path, 'utf8')) as JSONWebKeySet;
  return { keys: createLocalJWKSet(jwks), close: () => undefined };
}
