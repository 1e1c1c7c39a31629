import { createPrivateKey, randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

import { Type, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JSONWebKeySet } from 'jose';

import { ensurePrivateFile } from '../private-file.js';

/** The keys of receipts: the first of the file signs, all of them are published. */
export interface ReceiptKeys {
  readonly kid: string;
  /** The private half of the first, in PEM. */
  readonly signingKey: string;
  /** The public halves, for `/.well-known/jwks.json`. */
  readonly jwks: JSONWebKeySet;
}

/** A key file that is not fit for signing receipts, in words for the operator. */
export class ReceiptKeyError extends Error {}

function notUsable(file: string, problem: string, cause?: unknown): ReceiptKeyError {
  return new ReceiptKeyError(`The receipt keys are not usable: ${file} ${problem}`, { cause });
}

const text = Type.String({ minLength: 1 });

/** A private JWK Set of Ed25519 keys, each with an id. */
const KeyFile = Type.Object({
  keys: Type.Array(
    Type.Object({ kty: Type.Literal('OKP'), crv: Type.Literal('Ed25519'), kid: text, x: text, d: text }),
    { minItems: 1 },
  ),
});

/**
 * Reads the keys. Several are for rotation: put the new one first, and take the old one away once its last receipt has
 * run out.
 */
export async function readReceiptKeys(file: string): Promise<ReceiptKeys> {
  return toReceiptKeys(await readKeyFile(file), file);
}

/** The same from a file that is made, for its owner alone, if it isn't there yet. */
export async function ensureReceiptKeys(file: string): Promise<ReceiptKeys> {
  const content = JSON.stringify(await generateKeyFile(), null, 2);
  try {
    await ensurePrivateFile(file, `${content}\n`);
  } catch (error) {
    throw notUsable(file, 'can not be made', error);
  }
  return readReceiptKeys(file);
}

/** A key that is kept nowhere: its receipts end with the process. */
export async function ephemeralReceiptKeys(): Promise<ReceiptKeys> {
  return toReceiptKeys(await generateKeyFile(), 'the generated key');
}

/** What tells the keys from others, whatever their ids: their thumbprints by RFC 7638, the signing key's apart. */
export async function thumbprintsOf({ kid, jwks }: ReceiptKeys) {
  const publishes = await Promise.all(jwks.keys.map((key) => calculateJwkThumbprint(key)));
  const signs_with = publishes[jwks.keys.findIndex((key) => key.kid === kid)];
  if (signs_with === undefined) throw new Error('The signing key is not among those that are published');
  return { signs_with, publishes };
}

function toReceiptKeys({ keys }: Static<typeof KeyFile>, origin: string): ReceiptKeys {
  const [first] = keys;
  if (!first) throw notUsable(origin, 'holds no key');
  // A verifier would take either of them for a receipt of that id.
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) {
    throw notUsable(origin, 'holds two keys of one kid');
  }
  const signingKey = pemOf(first, origin);
  const jwks = keys.map(({ kty, crv, kid, x }) => ({ kty, crv, kid, x, alg: 'EdDSA', use: 'sig' }));
  return { kid: first.kid, signingKey, jwks: { keys: jwks } };
}

function pemOf(key: Static<typeof KeyFile>['keys'][number], origin: string): string {
  try {
    return String(createPrivateKey({ key, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }));
  } catch (cause) {
    throw notUsable(origin, 'holds a broken key', cause);
  }
}

async function generateKeyFile(): Promise<Static<typeof KeyFile>> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: randomUUID() };
  return Value.Parse(KeyFile, { keys: [key] });
}

/** Mode bits of a file that its group, or everyone, may write: whoever puts a key there signs receipts. */
const writableByOthers = 0o022;

async function readKeyFile(file: string): Promise<Static<typeof KeyFile>> {
  let content: unknown;
  let isOthersToWrite: boolean;
  try {
    const [text, { mode }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    isOthersToWrite = (mode & writableByOthers) !== 0;
    content = JSON.parse(text);
  } catch (cause) {
    throw notUsable(file, 'can not be read as JSON', cause);
  }
  if (isOthersToWrite) {
    throw notUsable(file, 'may be written by its group or by everyone: chmod go-w it');
  }
  if (!Value.Check(KeyFile, content)) {
    throw notUsable(file, 'is not a set of private Ed25519 JWKs, each with a kid');
  }
  return content;
}
