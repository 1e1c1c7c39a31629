import { createPrivateKey, randomUUID } from 'node:crypto';

import { Type, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { calculateJwkThumbprint, type JSONWebKeySet } from 'jose';

import {
  ensureKeyFile,
  generateKey,
  PrivateKey,
  publicKeySet,
  readKeyFile,
  type NotUsable,
} from '../key-files.js';

/** The keys of receipts: the first of the file signs, all of them are published. */
export interface ReceiptKeys {
  readonly kid: string;
  /** The private half of the first, in PEM. */
  readonly signingKey: string;
  /** The public halves, for `/.well-known/jwks.json`. */
  readonly jwks: JSONWebKeySet;
}

/** Keys that are not fit for signing receipts, in words for the operator. */
export class ReceiptKeyError extends Error {}

const KeySet = Type.Object({ keys: Type.Array(PrivateKey, { minItems: 1 }) });

/**
 * Reads the keys. Several are for rotation: put the new one first, and take the old one away once its last receipt has
 * run out.
 */
export async function readReceiptKeys(file: string): Promise<ReceiptKeys> {
  const notUsable = notUsableIn(file);
  const content = await readKeyFile(file, notUsable, {
    // Whoever puts a key there signs receipts.
    bits: 0o022,
    problem: 'may be written by its group or by everyone: chmod go-w it',
  });
  if (Value.Check(KeySet, content)) return toReceiptKeys(content, notUsable);
  throw notUsable('is not a set of private Ed25519 JWKs, each with a kid');
}

/** The same from a file that is made, for its owner alone, if it isn't there yet. */
export async function ensureReceiptKeys(file: string): Promise<ReceiptKeys> {
  await ensureKeyFile(file, await generateKeySet(), notUsableIn(file));
  return readReceiptKeys(file);
}

/** A key that is kept nowhere: its receipts end with the process. */
export async function ephemeralReceiptKeys(): Promise<ReceiptKeys> {
  return toReceiptKeys(await generateKeySet(), notUsableIn('the generated key'));
}

/** What tells the keys from others, whatever their ids: their thumbprints by RFC 7638, the signing key's apart. */
export async function thumbprintsOf({ kid, jwks }: ReceiptKeys) {
  const publishes = await Promise.all(jwks.keys.map((key) => calculateJwkThumbprint(key)));
  const signs_with = publishes[jwks.keys.findIndex((key) => key.kid === kid)];
  if (signs_with === undefined) throw new Error('The signing key is not among those that are published');
  return { signs_with, publishes };
}

async function generateKeySet(): Promise<Static<typeof KeySet>> {
  return { keys: [await generateKey(() => randomUUID())] };
}

function toReceiptKeys({ keys }: Static<typeof KeySet>, notUsable: NotUsable): ReceiptKeys {
  const [first] = keys;
  if (!first) throw notUsable('holds no key');
  // A verifier would take either of them for a receipt of that id.
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) throw notUsable('holds two keys of one kid');
  return { kid: first.kid, signingKey: pemOf(first, notUsable), jwks: publicKeySet(keys) };
}

function pemOf(key: PrivateKey, notUsable: NotUsable): string {
  try {
    return String(createPrivateKey({ key, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }));
  } catch (cause) {
    throw notUsable('holds a broken key', cause);
  }
}

function notUsableIn(file: string): NotUsable {
  return (problem, cause) =>
    new ReceiptKeyError(`The receipt keys are not usable: ${file} ${problem}`, { cause });
}
