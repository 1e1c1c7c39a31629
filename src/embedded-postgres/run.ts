import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** An account of this machine that a program is run under. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** How every program of the store is started: nothing of our environment leaks in, neither secrets nor PG* variables. */
export function runOptions(account: Account | undefined) {
  return {
    // Postgres refuses to start in a working directory that its account can't enter.
    cwd: '/',
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    // macOS counts `nobody` as -2, which `id` prints as 4294967294: spawn wants the signed form.
    ...(account && { uid: account.uid | 0, gid: account.gid | 0 }),
  };
}

/** Runs a program to its end and returns what it printed. Throws when it can't start or does not exit with 0. */
export async function run(file: string, args: readonly string[], account?: Account): Promise<string> {
  const { stdout } = await promisify(execFile)(file, args, runOptions(account));
  return stdout;
}

/** Whether a program starts, under that account, and exits with 0. */
export async function succeeds(file: string, args: readonly string[], account?: Account): Promise<boolean> {
  return run(file, args, account).then(
    () => true,
    () => false,
  );
}

/** Whether the account can enter a directory, asked by entering it: mode bits don't tell about access lists. */
export function canEnter(directory: string, account: Account | undefined): Promise<boolean> {
  return succeeds('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], account);
}
