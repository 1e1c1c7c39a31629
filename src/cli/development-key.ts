import { randomUUID } from 'node:crypto';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';

import { Type, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey } from 'jose';

import { developmentKeyPrefix } from '../http/auth/development-keys.js';
import { ensurePrivateFile } from '../private-file.js';

/** A key that signs development tokens. */
export interface DevelopmentKey {
  readonly kid: string;
  readonly signingKey: CryptoKey;
  /** The file beside it with its public half, for `AUTH_JWKS_FILE`. */
  readonly publicFile: string;
}

/** A file that holds no development key of its owner alone, in words for the person who runs the command. */
export class DevelopmentKeyError extends Error {
  constructor(file: string, problem: string, cause?: unknown) {
    super(`${file} ${problem}`, { cause });
  }
}

/** Reads the key of a file, which is made if it isn't there yet, and puts its public half beside it. */
export async function ensureDevelopmentKey(file: string): Promise<DevelopmentKey> {
  try {
    await ensurePrivateFile(file, `${JSON.stringify(await generateKey(), null, 2)}\n`);
  } catch (cause) {
    throw new DevelopmentKeyError(file, 'can not be made', cause);
  }
  const key = await readKey(file);
  const signingKey = await importJWK(key, 'EdDSA').catch((cause: unknown) => {
    throw new DevelopmentKeyError(file, 'holds a broken key', cause);
  });
  if (signingKey instanceof Uint8Array) throw new DevelopmentKeyError(file, 'holds a symmetric key');
  return { kid: key.kid, signingKey, publicFile: await publish(key, file) };
}

const text = Type.String({ minLength: 1 });

/** A private Ed25519 JWK whose id says what it is for: no other key may sign what passes for a development token. */
const KeyFile = Type.Object({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  kid: Type.String({ pattern: `^${developmentKeyPrefix}.` }),
  x: text,
  d: text,
});

async function generateKey(): Promise<Static<typeof KeyFile>> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = `${developmentKeyPrefix}${await calculateJwkThumbprint(jwk)}`;
  return Value.Parse(KeyFile, { ...jwk, kid });
}

async function readKey(file: string): Promise<Static<typeof KeyFile>> {
  let content: unknown;
  try {
    if (isOpenToOthers((await stat(file)).mode)) {
      throw new DevelopmentKeyError(file, 'can be read by others than its owner: `chmod 600` it first');
    }
    content = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw cause instanceof DevelopmentKeyError
      ? cause
      : new DevelopmentKeyError(file, 'can not be read as JSON', cause);
  }
  if (!Value.Check(KeyFile, content)) {
    throw new DevelopmentKeyError(file, 'is not a key that this command has made: name a new file');
  }
  return content;
}

/** Windows has no such bits, and shows every file as open. */
function isOpenToOthers(mode: number): boolean {
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}

async function publish({ kty, crv, kid, x }: Static<typeof KeyFile>, file: string): Promise<string> {
  const publicFile = `${file.replace(/\.json$/, '')}.jwks.json`;
  const jwks = { keys: [{ kty, crv, kid, x, alg: 'EdDSA', use: 'sig' }] };
  const draft = `${publicFile}.${randomUUID()}`;
  try {
    await writeFile(draft, `${JSON.stringify(jwks, null, 2)}\n`, { flag: 'wx', mode: 0o644 });
    await rename(draft, publicFile);
  } catch (cause) {
    throw new DevelopmentKeyError(publicFile, 'can not be made', cause);
  }
  return publicFile;
}
