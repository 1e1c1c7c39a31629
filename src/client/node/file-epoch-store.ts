import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { sha256Hex } from '../digest.js';
import { sessionKey, type EpochStore, type KeptSession } from '../epochs.js';
import type { SessionRef } from '../wire.js';

/** Keeps epochs in a directory, one file a session, so that they survive the process. */
export function fileEpochStore(directory: string): EpochStore {
  const fileOf = async (session: SessionRef) =>
    join(directory, `${await sha256Hex(sessionKey(session))}.json`);
  return {
    read: async (session) => {
      const text = await readFile(await fileOf(session), 'utf8').catch(unlessAbsent);
      return text === undefined ? undefined : keptSession(JSON.parse(text));
    },
    write: async (session, kept) => {
      const file = await fileOf(session);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      // Whole or not at all: a half-written epoch would be nobody's.
      const draft = `${file}.${randomUUID()}`;
      await writeFile(draft, JSON.stringify(kept), { mode: 0o600, flush: true });
      await rename(draft, file);
    },
  };
}

function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Throws for a file that holds anything else: a lost epoch must not look like a session never resumed. */
function keptSession(value: unknown): KeptSession {
  if (!isObject(value)) throw new TypeError('The kept session is not an object');
  const { session_epoch, decision_id, unanswered } = value;
  if (decision_id !== undefined && typeof decision_id !== 'string') {
    throw new TypeError('The kept decision id is not a string');
  }
  return {
    ...(session_epoch !== undefined && { session_epoch: epoch(session_epoch) }),
    ...(decision_id !== undefined && { decision_id }),
    ...(unanswered !== undefined && { unanswered: question(unanswered) }),
  };
}

function question(value: unknown): NonNullable<KeptSession['unanswered']> {
  if (!isObject(value)) throw new TypeError('The kept question is not an object');
  const { request_sha256, idempotency_key, session_epoch } = value;
  if (typeof request_sha256 !== 'string' || typeof idempotency_key !== 'string') {
    throw new TypeError('The kept question has no key');
  }
  return { request_sha256, idempotency_key, session_epoch: epoch(session_epoch) };
}

function epoch(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new TypeError('The kept epoch is not a number');
  }
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
