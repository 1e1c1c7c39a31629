import { Problem } from '../problems.js';

/** Reads `If-Match`: one entity tag as this service gives them, or `*`. */
export function readIfMatch(header: string | undefined): number | 'any' | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return 'any';
  const revision = /^\s*"([1-9]\d{0,14})"\s*$/.exec(header)?.[1];
  if (revision !== undefined) return Number(revision);
  const message = 'If-Match takes one entity tag of this service, or *';
  throw new Problem('schema_invalid', message, { faults: [{ pointer: '/headers/if-match', message }] });
}
