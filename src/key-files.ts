import { readFile, stat } from 'node:fs/promises';

import { Type, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

import { ensurePrivateFile } from './private-file.js';

const text = Type.String({ minLength: 1 });

/** A private Ed25519 key as a JWK with an id. */
export const PrivateKey = Type.Object({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  kid: text,
  x: text,
  d: text,
});
export type PrivateKey = Static<typeof PrivateKey>;

/** The error for a key file that can't be used, from what is wrong with it, in words for the operator. */
export type NotUsable = (problem: string, cause?: unknown) => Error;

/** Mode bits that a key file may not have, and what to say of one that has them. */
export interface ClosedTo {
  readonly bits: number;
  readonly problem: string;
}

export async function generateKey(idOf: (key: JWK) => string | Promise<string>): Promise<PrivateKey> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const key = await exportJWK(privateKey);
  return Value.Parse(PrivateKey, { ...key, kid: await idOf(key) });
}

/** The JWK Set with the public halves. */
export function publicKeySet(keys: readonly PrivateKey[]) {
  return { keys: keys.map(({ kty, crv, kid, x }) => ({ kty, crv, kid, x, alg: 'EdDSA', use: 'sig' })) };
}

/** Makes a file with keys, for its owner alone, if it isn't there yet. */
export async function ensureKeyFile(file: string, content: unknown, notUsable: NotUsable): Promise<void> {
  try {
    await ensurePrivateFile(file, jsonText(content));
  } catch (cause) {
    throw notUsable('can not be made', cause);
  }
}

/** The JSON in a file with keys. */
export async function readKeyFile(file: string, notUsable: NotUsable, closedTo?: ClosedTo): Promise<unknown> {
  let content: unknown;
  let mode: number;
  try {
    ({ mode } = await stat(file));
    content = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw notUsable('can not be read as JSON', cause);
  }
  // Windows has no such bits, and shows every file as open.
  if (closedTo && process.platform !== 'win32' && (mode & closedTo.bits) !== 0)
    throw notUsable(closedTo.problem);
  return content;
}

/** JSON as people read it. */
export function jsonText(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}
