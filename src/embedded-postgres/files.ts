import { lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Whether there is something at the path; a link counts even when it leads nowhere. */
export function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
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
