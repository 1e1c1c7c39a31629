import { Value } from '@sinclair/typebox/value';
import { calculateJwkThumbprint, importJWK, type CryptoKey } from 'jose';
import writeFileAtomic from 'write-file-atomic';

import { developmentKeyPrefix } from '../http/auth/development-keys.js';
import {
  ensureKeyFile,
  generateKey,
  jsonText,
  PrivateKey,
  publicKeySet,
  readKeyFile,
  type NotUsable,
} from '../key-files.js';

/** A key that signs development tokens. */
export interface DevelopmentKey {
  readonly kid: string;
  readonly signingKey: CryptoKey;
  /** The file beside it with its public half, for `AUTH_JWKS_FILE`. */
  readonly publicFile: string;
}

/** A file that holds no development key of its owner alone, in words for the person who runs the command. */
export class DevelopmentKeyError extends Error {}

/** Reads the key of a file, which is made if it isn't there yet, and puts its public half beside it. */
export async function ensureDevelopmentKey(file: string): Promise<DevelopmentKey> {
  const notUsable = notUsableIn(file);
  const fresh = await generateKey(
    async (jwk) => `${developmentKeyPrefix}${await calculateJwkThumbprint(jwk)}`,
  );
  await ensureKeyFile(file, fresh, notUsable);
  const key = await readKey(file, notUsable);
  const signingKey = await importJWK(key, 'EdDSA').catch((cause: unknown) => {
    throw notUsable('holds a broken key', cause);
  });
  if (signingKey instanceof Uint8Array) throw notUsable('holds a symmetric key');
  return { kid: key.kid, signingKey, publicFile: await publish(key, file) };
}

async function readKey(file: string, notUsable: NotUsable): Promise<PrivateKey> {
  const key = await readKeyFile(file, notUsable, {
    bits: 0o077,
    problem: 'can be read by others than its owner: `chmod 600` it first',
  });
  // Its id says what it is for: no other key may sign what passes for a development token.
  if (Value.Check(PrivateKey, key) && key.kid.startsWith(developmentKeyPrefix)) return key;
  throw notUsable('is not a key that this command has made: name a new file');
}

async function publish(key: PrivateKey, file: string): Promise<string> {
  const publicFile = `${file.replace(/\.json$/, '')}.jwks.json`;
  await writeFileAtomic(publicFile, jsonText(publicKeySet([key])), { mode: 0o644 }).catch(
    (cause: unknown) => {
      throw notUsableIn(publicFile)('can not be made', cause);
    },
  );
  return publicFile;
}

function notUsableIn(file: string): NotUsable {
  return (problem, cause) => new DevelopmentKeyError(`${file} ${problem}`, { cause });
}
