import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';

import { trimWhiteSpace } from './text.js';

/** What every digest on the wire begins with. */
export const digestPrefix = 'sha256:';

/** `sha256:` and the lower-case hex SHA-256 of the text in UTF-8. */
export function sha256Digest(text: string): string {
  return `${digestPrefix}${sha256Hex(text)}`;
}

/** The lower-case hex SHA-256 of the text in UTF-8. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/**
 * RFC 8785 canonical JSON; properties that are undefined are left out.
 *
 * Throws on what JSON has no form for: undefined itself, NaN, an infinity, a bigint, a lone surrogate.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('This value has no canonical JSON form');
  return text;
}

/** The digest of a value's canonical JSON: the same for everyone who holds the same value. Throws as `canonicalJson`. */
export function canonicalDigest(value: unknown): string {
  return sha256Digest(canonicalJson(value));
}

/** What binds a summary to its envelope: white space around the text is no part of it, white space within is. */
export function summaryDigest(summary: string): string {
  return sha256Digest(trimWhiteSpace(summary));
}
