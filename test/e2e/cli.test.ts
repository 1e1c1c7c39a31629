import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Type, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exerciseDefaults, exerciseRequest, type ExerciseOptions } from '../../src/cli/exercise.js';
import { summaryDigest } from '../../src/domain/digest.js';
import { approvalStatuses } from '../../src/domain/vocabulary.js';
import { buildApp } from '../../src/http/build-app.js';
import { Database } from '../../src/store/database.js';
import { program, run, runCli } from '../support/run-cli.js';
import { testReceipts } from '../support/test-receipts.js';

const go = ['context_compaction', 'context_rehydration'];
const stop = ['context_compaction', 'continuity_validation_failed'];

/** Every option of the exercise: how it is given, what it stands for, and what comes of it. */
const paths: Path[] = [
  path('nothing has changed', [], {}, ['reauthorization_required', 'continuity_validated', go]),
  path('the summary was changed', ['--tamper-summary'], { tamperSummary: true }, [
    'continuity_validation_failed',
    'summary_digest_mismatch',
    stop,
  ]),
  path(
    'the effect is unknown',
    ['--side-effect-status', 'side_effect_unknown'],
    { sideEffectStatus: 'side_effect_unknown' },
    ['blocked_on_reconciliation', 'unknown_side_effect', stop],
  ),
  path('the approval was revoked', ['--approval-status', 'revoked'], { approvalStatus: 'revoked' }, [
    'continuity_validation_failed',
    'approval_revoked',
    stop,
  ]),
  path(
    'the effect is committed, in the envelope and now',
    ['--side-effect-status', 'side_effect_committed'],
    { sideEffectStatus: 'side_effect_committed' },
    ['reauthorization_required', 'continuity_validated', go],
  ),
  path(
    'another policy is in force',
    ['--policy-version', 'policy-v7', '--current-policy-version', 'policy-v8'],
    { policyVersion: 'policy-v7', currentPolicyVersion: 'policy-v8' },
    ['continuity_validation_failed', 'policy_version_changed', stop],
  ),
  path(
    'the policy in force is that of the envelope unless it is given',
    ['--policy-version', 'policy-v7'],
    { policyVersion: 'policy-v7' },
    ['reauthorization_required', 'continuity_validated', go],
  ),
  path(
    'only the policy in force is given',
    ['--current-policy-version=policy-v8'],
    { currentPolicyVersion: 'policy-v8' },
    ['continuity_validation_failed', 'policy_version_changed', stop],
  ),
  path(
    'another summary, bound before it is presented',
    ['--summary', '  Kein Ticket doppelt anlegen – 票.\nWrite it.  '],
    { summary: '  Kein Ticket doppelt anlegen – 票.\nWrite it.  ' },
    ['reauthorization_required', 'continuity_validated', go],
  ),
  path(
    'another summary, changed once it was bound',
    ['--tamper-summary', '--summary', '--go on'],
    { summary: '--go on', tamperSummary: true },
    ['continuity_validation_failed', 'summary_digest_mismatch', stop],
  ),
  path(
    'another session and trace',
    ['--session-id', 'session-7', '--trace-id', 'trace-7'],
    { sessionId: 'session-7', traceId: 'trace-7' },
    ['reauthorization_required', 'continuity_validated', go],
  ),
  path(
    'everything at once',
    [
      ...['--tamper-summary', '--side-effect-status', 'side_effect_unknown', '--summary', 'S'],
      ...['--trace-id', 'T', '--session-id', 'I', '--policy-version', 'P'],
      ...['--current-policy-version', 'C', '--approval-status', 'rejected'],
    ],
    {
      tamperSummary: true,
      sideEffectStatus: 'side_effect_unknown',
      summary: 'S',
      traceId: 'T',
      sessionId: 'I',
      policyVersion: 'P',
      currentPolicyVersion: 'C',
      approvalStatus: 'rejected',
    },
    ['continuity_validation_failed', 'summary_digest_mismatch', stop],
  ),
];

/** The operator error, to the letter, for each option with a malformed value. */
const malformed: [string[], string][] = [
  [['--side-effect-status', 'maybe'], 'Continuity side-effect status is not supported: maybe'],
  [['--side-effect-status', ''], 'Continuity field is required: side_effect_status'],
  [['--summary', '  '], 'Continuity field is required: summary'],
  [['--summary', ''], 'Continuity field is required: summary'],
  [['--summary', '  ', '--tamper-summary'], 'Continuity field is required: summary'],
  [['--approval-status', 'waived'], 'Continuity approval status is not supported: waived'],
  [['--approval-status='], 'Continuity field is required: approval_status'],
  [['--policy-version', ''], 'Continuity field is required: policy_version'],
  [['--current-policy-version', ' '], 'Continuity field is required: policy_version'],
  [['--trace-id', ''], 'Continuity field is required: source_trace_id'],
  [['--session-id', '\t'], 'Continuity field is required: session_id'],
  [
    ['--approval-status', 'waived', '--side-effect-status', 'maybe'],
    'Continuity side-effect status is not supported: maybe',
  ],
];

describe('continuity-gate inspect-continuity', () => {
  let app: FastifyInstance;
  let database: Database;

  beforeAll(async () => {
    database = new Database({ connectionString: 'postgres://nowhere.invalid' });
    app = await buildApp({
      database,
      schemaVersion: 0,
      access: { mode: 'open', attestedState: false, hostNames: undefined },
      receipts: await testReceipts(),
    });
  });

  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it.each(paths)(
    'prints what POST /inspect-continuity answers: $name',
    async ({ args, options, outcome }) => {
      const { exitCode, stdout, stderr } = await inspect(args);
      const response = await app.inject({
        method: 'POST',
        url: '/inspect-continuity',
        payload: exerciseRequest({ ...exerciseDefaults, ...options }),
      });

      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(response.statusCode).toBe(200);
      expect(stdout).toBe(`${JSON.stringify(response.json(), null, 2)}\n`);
      const { status, reason, event_types, authorized, requires_reauthorization } = parse(stdout);
      expect([status, reason, event_types]).toEqual(outcome);
      expect({ authorized, requires_reauthorization }).toEqual({
        authorized: false,
        requires_reauthorization: true,
      });
    },
  );

  it('names the session and the trace in every event', async () => {
    const { stdout } = await inspect(['--session-id', 'session-7', '--trace-id', 'trace-7']);

    expect(parse(stdout).events).toEqual([
      expect.objectContaining({ session_id: 'session-7', trace_id: 'trace-7' }),
      expect.objectContaining({ session_id: 'session-7', trace_id: 'trace-7' }),
    ]);
  });

  it('records the digest of the summary before it is tampered with', async () => {
    const { stdout } = await inspect(['--summary', 'As it was.', '--tamper-summary']);

    expect(parse(stdout).events[0]?.payload['summary_sha256']).toBe(summaryDigest('As it was.'));
  });

  it('reloads the versions that the envelope was sealed under', async () => {
    const { stdout } = await inspect(['--policy-version', 'policy-v7']);

    expect(parse(stdout).events[1]?.payload['versions_reloaded']).toMatchObject({
      policy_version: 'policy-v7',
    });
  });

  it.each(approvalStatuses.filter((status) => status !== 'approved'))(
    'lets no approval across the boundary that is %s',
    async (status) => {
      const { exitCode, stdout } = await inspect(['--approval-status', status]);

      expect(exitCode).toBe(0);
      expect(parse(stdout).status).toBe('continuity_validation_failed');
    },
  );

  it('never prints the summary', async () => {
    const { stdout } = await inspect(['--summary', 'A secret of the run', '--tamper-summary']);

    expect(stdout).not.toContain('secret');
  });

  it.each(malformed)('refuses %j with nothing but the operator error', async (args, error) => {
    expect(await inspect(args)).toEqual({ exitCode: 2, stdout: '', stderr: `${error}\n` });
  });

  it('refuses a malformed value as POST /inspect-continuity does', async () => {
    const payload = exerciseRequest({ ...exerciseDefaults, sideEffectStatus: 'maybe' });
    const response = await app.inject({ method: 'POST', url: '/inspect-continuity', payload });
    const { stderr } = await inspect(['--side-effect-status', 'maybe']);

    expect(response.statusCode).toBe(400);
    expect(stderr).toBe(`${response.json<{ detail: string }>().detail}\n`);
  });

  it('prints JSON alone as an npm script', async () => {
    const { stdout } = await run('npm', ['run', '-s', 'inspect-continuity', '--', '--tamper-summary']);

    expect(parse(stdout).reason).toBe('summary_digest_mismatch');
  });
});

describe('continuity-gate openapi', () => {
  const committed = 'openapi/openapi.json';
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'continuity-gate-cli-'));
  });

  afterAll(() => rm(directory, { recursive: true }));

  it('prints the document', async () => {
    const { exitCode, stdout, stderr } = await runCli(['openapi']);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toBe(await readFile(committed, 'utf8'));
  });

  it('writes the document to a file, and finds it the same', async () => {
    const file = join(directory, 'written.json');

    expect(await runCli(['openapi', '--output', file])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(await readFile(file, 'utf8')).toBe(await readFile(committed, 'utf8'));
    expect(await runCli(['openapi', '--check', file])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('tells a file that is not the document, and leaves it alone', async () => {
    const file = join(directory, 'changed.json');
    const changed = `${await readFile(committed, 'utf8')}\n`;
    await writeFile(file, changed);

    expect(await runCli(['openapi', '--check', file])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `${file} is not the document of this program. Regenerate it with \`npm run openapi\`.\n`,
    });
    expect(await readFile(file, 'utf8')).toBe(changed);
  });

  it('tells a file that cannot be read or written', async () => {
    const file = join(directory, 'nowhere', 'openapi.json');

    for (const option of ['--check', '--output']) {
      const { exitCode, stdout, stderr } = await runCli(['openapi', option, file]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr).toMatch(/^\S+openapi\.json cannot be (read|written).*ENOENT[^\n]*\n$/);
    }
  });

  it('does not check and write at once', async () => {
    const { exitCode } = await runCli(['openapi', '--check', committed, '--output', committed]);

    expect(exitCode).toBe(2);
  });
});

describe('continuity-gate', () => {
  it('runs by its name', async () => {
    const { exitCode, stdout, stderr } = await run(program, ['--version']);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(await readFile('package.json', 'utf8')).toContain(`"version": ${JSON.stringify(stdout.trim())}`);
  });

  it('tells a newcomer what there is', async () => {
    const { exitCode, stdout, stderr } = await runCli(['--help']);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const command of ['inspect-continuity', 'openapi', 'migrate']) expect(stdout).toContain(command);
  });

  it.each([['inspect-continuity'], ['openapi'], ['migrate']])(
    'explains %s and its exit status',
    async (name) => {
      const { exitCode, stdout } = await runCli([name, '--help']);

      expect(exitCode).toBe(0);
      expect(stdout).toContain(`Usage: continuity-gate ${name} [options]`);
      expect(stdout).toContain('Exit status: 0');
    },
  );

  it.each([
    [[], /^Usage: /],
    [['authorize'], /^error: unknown command 'authorize'\n/],
    [['inspect-continuity', '--nope'], /^error: unknown option '--nope'\n/],
    [['inspect-continuity', '--tamper'], /^error: unknown option '--tamper'\n/],
    [['inspect-continuity', '--summary'], /^error: option '--summary <text>' argument missing\n/],
    [['inspect-continuity', 'extra'], /^error: too many arguments/],
    [['migrate', '--force'], /^error: unknown option '--force'\n/],
  ])('refuses the command line %j with 2', async (args, message) => {
    const { exitCode, stdout, stderr } = await runCli(args);

    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

interface Path {
  readonly name: string;
  readonly args: readonly string[];
  readonly options: Partial<ExerciseOptions>;
  readonly outcome: readonly unknown[];
}

function path(
  name: string,
  args: readonly string[],
  options: Partial<ExerciseOptions>,
  outcome: readonly [status: string, reason: string, events: readonly string[]],
): Path {
  return { name, args, options, outcome };
}

function inspect(args: readonly string[]) {
  return runCli(['inspect-continuity', ...args]);
}

const PrintedInspection = Type.Object({
  status: Type.String(),
  reason: Type.String(),
  event_types: Type.Array(Type.String()),
  authorized: Type.Boolean(),
  requires_reauthorization: Type.Boolean(),
  events: Type.Array(Type.Object({ payload: Type.Record(Type.String(), Type.Unknown()) })),
});

function parse(stdout: string): Static<typeof PrintedInspection> {
  const printed: unknown = JSON.parse(stdout);
  if (Value.Check(PrintedInspection, printed)) return printed;
  throw new Error(`This is no inspection: ${stdout}`);
}
