import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface CliResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built program, as its name in PATH stands for it. */
export const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Runs the built program to its end; of the environment it sees the given settings alone. */
export function runCli(args: readonly string[], settings: NodeJS.ProcessEnv = {}): Promise<CliResult> {
  return run(process.execPath, [program, ...args], settings);
}

/** Runs any program to its end, with no setting of the service but the given ones. */
export function run(
  command: string,
  args: readonly string[],
  settings: NodeJS.ProcessEnv = {},
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { PATH: process.env['PATH'], ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (exitCode) => {
      resolve({ exitCode, stdout: textOf(stdout), stderr: textOf(stderr) });
    });
  });
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}
