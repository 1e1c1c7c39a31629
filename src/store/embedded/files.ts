import { randomUUID } from 'node:crypto';
import { chown, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Account } from './run.js';

/** Whether there is something at the path; a link counts even when it leads nowhere. */
export function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Writes a file that only its owner can read, whole or not at all, and durably. */
export async function writePrivateFile(path: string, text: string, owner?: Account): Promise<void> {
  const draft = `${path}.new-${randomUUID()}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    if (owner) await file.chown(owner.uid, owner.gid);
    await file.sync();
  } finally {
    await file.close();
  }
  await renameDurably(draft, path);
}

/** Renames, and returns when a crash of the machine can't undo it any more. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  const directory = await open(dirname(to), 'r');
  await directory.sync().finally(() => directory.close());
}

/** Removes what a killed process left behind. Best effort: an orphaned child of it may still be writing there. */
export function removeLeftover(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

export async function giveTo(owner: Account | undefined, path: string): Promise<void> {
  if (owner) await chown(path, owner.uid, owner.gid);
}
