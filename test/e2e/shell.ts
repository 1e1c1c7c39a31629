import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';

/** One bash in which commands are run one after the other, as a reader pastes them: variables and functions stay. */
export class Shell {
  readonly #bash: ChildProcessWithoutNullStreams;
  #stdout = '';
  #stderr = '';

  constructor(environment: NodeJS.ProcessEnv) {
    this.#bash = spawn('bash', ['--noprofile', '--norc'], { env: environment });
    this.#bash.stdout.setEncoding('utf8').on('data', (text: string) => (this.#stdout += text));
    this.#bash.stderr.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
  }

  /** Runs commands and returns what they print. Throws what they print on stderr if the last one fails. */
  async run(script: string): Promise<string> {
    [this.#stdout, this.#stderr] = ['', ''];
    const mark = randomUUID();
    const end = new RegExp(`\\n${mark} (\\d+)\\n`);
    // Without the redirection a command could read the commands to come.
    this.#bash.stdin.write(`{\n${script}\n} </dev/null\nprintf '\\n%s %s\\n' ${mark} $?\n`);
    const exitStatus = await this.#waitFor(end);
    const output = this.#stdout.replace(end, '');
    if (exitStatus !== '0') throw new Error(`Exit status ${exitStatus}: ${this.#stderr}${output}`);
    return output;
  }

  close(): void {
    this.#bash.kill();
  }

  #waitFor(end: RegExp): Promise<string | undefined> {
    const { stdout } = this.#bash;
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = end.exec(this.#stdout);
        if (!found) return;
        stdout.off('data', look).off('close', fail);
        resolve(found[1]);
      };
      const fail = () => {
        reject(new Error(`The shell ended: ${this.#stderr}`));
      };
      stdout.on('data', look).on('close', fail);
    });
  }
}
