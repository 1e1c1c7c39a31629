import { randomUUID } from 'node:crypto';
import { link, mkdir, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import writeFileAtomic from 'write-file-atomic';

/** An account of this machine. */
export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

/** Writes a file that only its owner can read, whole or not at all, and durably. */
export async function writePrivateFile(file: string, content: string, owner?: FileOwner): Promise<void> {
  await writeFileAtomic(file, content, { mode: 0o600, ...(owner && { chown: owner }) });
}

/**
 * Makes a file that only its owner may read, with its directory; one that is there already is left as it is.
 *
 * It is linked in place whole: a process that dies half-way leaves no half of it, and of two at once one is first.
 */
export async function ensurePrivateFile(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, content, { flag: 'wx', mode: 0o600 });
  try {
    await link(draft, file);
  } catch (error) {
    if (!isThereAlready(error)) throw error;
  } finally {
    await unlink(draft);
  }
}

function isThereAlready(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
