#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

import { Command, CommanderError, Option } from 'commander';

import { connectGate, GateFailureError, GateProblemError, type Gate } from '../index.js';
import { fileEpochStore } from '../node/file-epoch-store.js';
import type { ResumeRequest } from '../resume.js';
import type { SealRequest } from '../seal.js';

/** What a script may rely on: only 0 lets it go on, and what is in doubt is never 0. */
const exitCodes = {
  go: 0,
  sealed: 0,
  blocked: 10,
  stopped: 20,
  could_not_ask: 30,
} as const;

const wrongUsage = 2;

const program = new Command('continuity-gate')
  .description(
    'Asks a continuity gate. Prints JSON; exits with 0 go, 10 blocked, 20 stopped, 30 could not ask.',
  )
  .addOption(
    new Option('--gate <url>', 'where the gate is')
      .env('CONTINUITY_GATE_URL')
      .default('http://127.0.0.1:8080'),
  )
  .addOption(new Option('--token <token>', 'bearer token').env('CONTINUITY_GATE_TOKEN'))
  .option('--epochs <directory>', 'where epochs are kept', '.continuity-gate')
  .exitOverride();

program
  .command('seal [file]')
  .description('seal a boundary: JSON with state and summary, from the file or standard input')
  .action((file?: string) =>
    answer(async (gate) => told(await gate.seal(await readRequest<SealRequest>(file, ['state', 'summary'])))),
  );
program
  .command('resume [file]')
  .description('ask whether a run may resume: JSON of the request, from the file or standard input')
  .action((file?: string) =>
    answer(async (gate) =>
      told(await gate.resume(await readRequest<ResumeRequest>(file, ['tenant_id', 'session_id', 'summary']))),
    ),
  );
program
  .command('backlog <tenant>')
  .description('list the effects that have to be settled')
  .action((tenant: string) => answer(async (gate) => [await gate.backlog(tenant), 0]));
program
  .command('settle <tenant> <idempotency-key>')
  .description('settle an unknown effect on evidence')
  .addOption(
    new Option('--outcome <outcome>').choices(['side_effect_committed', 'not_started']).makeOptionMandatory(),
  )
  .requiredOption('--evidence <refs...>')
  .requiredOption('--by <who>')
  .action((tenant_id: string, idempotency_key: string, { outcome, evidence, by }: SettleOptions) =>
    answer(async (gate) => {
      const settlement = { outcome, evidence_refs: evidence, reconciled_by: by };
      return [await gate.settle({ tenant_id, idempotency_key }, settlement), 0];
    }),
  );
program
  .command('timeline <tenant> <session>')
  .description('show what happened to a session')
  .action((tenant_id: string, session_id: string) =>
    answer(async (gate) => [await gate.timeline({ tenant_id, session_id }), 0]),
  );
program
  .command('verify <tenant> <session>')
  .description("verify the session's chain of events; exits with 20 if it is broken")
  .action((tenant_id: string, session_id: string) =>
    answer(async (gate) => {
      const integrity = await gate.verifyTrace({ tenant_id, session_id });
      return [integrity, integrity.intact ? 0 : exitCodes.stopped];
    }),
  );

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : wrongUsage;
}

interface SettleOptions {
  readonly outcome: 'side_effect_committed' | 'not_started';
  readonly evidence: string[];
  readonly by: string;
}

function told(given: { readonly kind: keyof typeof exitCodes }): [unknown, number] {
  return [given, exitCodes[given.kind]];
}

/** Prints the answer, and leaves its exit code. */
async function answer(ask: (gate: Gate) => Promise<[unknown, number]>): Promise<void> {
  const { gate, token, epochs } = program.opts<{ gate: string; token?: string; epochs: string }>();
  const connected = connectGate({
    url: gate,
    epochs: fileEpochStore(epochs),
    ...(token !== undefined && { token }),
  });
  const [body, exitCode] = await ask(connected).catch(failed);
  process.stdout.write(`${JSON.stringify(body)}\n`);
  process.exitCode = exitCode;
}

function failed(error: unknown): [unknown, number] {
  if (error instanceof GateProblemError) return [error.problem, exitCodes.stopped];
  if (!(error instanceof GateFailureError)) throw error;
  const { failure, message } = error;
  return [{ kind: 'could_not_ask', failure, detail: message }, exitCodes.could_not_ask];
}

/** The gate checks what a request says; here it only has to be one. */
async function readRequest<Request>(file: string | undefined, members: string[]): Promise<Request> {
  const content =
    file === undefined || file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  const request: unknown = parsed(content);
  if (typeof request !== 'object' || request === null || members.some((member) => !(member in request))) {
    program.error(`The request is a JSON object with ${members.join(', ')}`);
  }
  return request as Request;
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return program.error('The request is not JSON');
  }
}
