import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);

/** What a runtime writes first: it compiles only while a go can be told from a stop by its kind. */
const program = `
import { connectGate, renderContext, type ResumeAnswer } from '@continuity-gate/client';
import { fileEpochStore } from '@continuity-gate/client/node';

const gate = connectGate({ url: 'http://127.0.0.1:9', tries: 1, epochs: fileEpochStore('epochs') });
const answer: ResumeAnswer = await gate.resume({
  envelope_id: 'e', tenant_id: 't', principal_id: 'p', session_id: 's', trace_id: 'r', summary: 'x',
});
function told(answer: ResumeAnswer): string {
  switch (answer.kind) {
    case 'go': {
      const reason: 'continuity_validated' = answer.reason;
      return reason + renderContext(answer.context_view);
    }
    case 'blocked': return answer.reconciliation?.[0]?.idempotency_key ?? '';
    case 'stopped': return answer.reason;
    case 'could_not_ask': return answer.failure;
  }
}
// @ts-expect-error: nothing in an answer could be taken for a permission
void answer.authorized;
console.log(answer.kind, told(answer));
`;

describe('the client, packed and installed into an empty project', () => {
  let project: string;

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'continuity-client-'));
    const { stdout } = await run('npm', [
      'pack',
      '--silent',
      '--workspace',
      'src/client',
      '--pack-destination',
      project,
    ]);
    await writeFile(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${stdout.trim()}`];
    await run('npm', install, { cwd: project });
    await writeFile(join(project, 'program.ts'), program);
  }, 180_000);

  afterAll(() => rm(project, { recursive: true, force: true }));

  it('brings nothing of the server', async () => {
    const installed = await readdir(join(project, 'node_modules'));

    expect(installed.filter((name) => /fastify|^pg|postgres|typebox|pino|opentelemetry/.test(name))).toEqual(
      [],
    );
  });

  it('brings a manifest whose versions are those of the repository', async () => {
    const versions = await Promise.all(
      ['src/client/package.json', 'package.json'].map(async (file) => {
        const manifest = JSON.parse(await readFile(file, 'utf8')) as { version: string };
        return manifest.version;
      }),
    );

    expect(new Set(versions).size).toBe(1);
  });

  it('type-checks and runs, and without a gate says that it could not ask', async () => {
    const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
    const types = ['--typeRoots', join(process.cwd(), 'node_modules/@types'), '--types', 'node'];
    const strict = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck'];
    await run(process.execPath, [tsc, ...types, ...strict, 'program.ts'], { cwd: project }).catch(
      (error: unknown) => {
        throw new Error((error as { stdout: string }).stdout);
      },
    );
    const { stdout } = await run(process.execPath, ['program.js'], { cwd: project });

    expect(stdout.trim()).toBe('could_not_ask unreachable');
  });
});
