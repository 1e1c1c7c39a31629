import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A file system of its own, which can be filled up; a plain folder where this account may not mount one. */
export class Disk {
  readonly path: string;
  readonly canBeFilled: boolean;

  private constructor(path: string, canBeFilled: boolean) {
    this.path = path;
    this.canBeFilled = canBeFilled;
  }

  static async make(path: string): Promise<Disk> {
    await mkdir(path, { mode: 0o711 });
    const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=512m,mode=0711', 'tmpfs', path]).then(
      () => true,
      () => false,
    );
    return new Disk(path, mounted);
  }

  /** Takes all that is free, and ends when there is no more. */
  async fill(): Promise<void> {
    await run('dd', ['if=/dev/zero', `of=${this.#filler}`, 'bs=1M']).catch(() => undefined);
  }

  async empty(): Promise<void> {
    await rm(this.#filler, { force: true });
  }

  async remove(): Promise<void> {
    if (this.canBeFilled) await run('umount', ['--lazy', this.path]);
    await rm(this.path, { recursive: true, force: true });
  }

  get #filler(): string {
    return join(this.path, 'filler');
  }
}
