import type { Command } from 'commander';

import { ContinuityFormatError } from '../domain/format-error.js';
import { approvalStatuses, sideEffectStatuses } from '../domain/vocabulary.js';
import { exerciseDefaults, runExercise, type ExerciseOptions } from './exercise.js';

/** `continuity-gate inspect-continuity`: the decision, on an example that needs neither a service nor a store. */
export function addInspectContinuity(program: Command): void {
  program
    .command('inspect-continuity')
    .summary('try the decision on an example envelope')
    .description(
      'Seals an example envelope, compares it with the current control state as the gate does after compaction or reset, and prints the decision as JSON: what POST /inspect-continuity answers. Nothing is read or stored. No decision is ever an authorization; the best is reauthorization_required.',
    )
    .option('--tamper-summary', "change the summary after the envelope has recorded the summary's digest")
    .option(
      '--side-effect-status <status>',
      `what is known of the effect, in the envelope and now:\n${sideEffectStatuses.join(', ')}`,
      exerciseDefaults.sideEffectStatus,
    )
    .option('--summary <text>', 'the compacted summary', exerciseDefaults.summary)
    .option('--trace-id <id>', 'trace of the run that seals the envelope', exerciseDefaults.traceId)
    .option('--session-id <id>', 'session that is compacted and resumed', exerciseDefaults.sessionId)
    .option('--policy-version <version>', 'policy version in the envelope', exerciseDefaults.policyVersion)
    .option(
      '--current-policy-version <version>',
      'policy version in force now (default: that in the envelope)',
    )
    .option(
      '--approval-status <status>',
      `what became of the approval:\n${approvalStatuses.join(', ')}`,
      exerciseDefaults.approvalStatus,
    )
    .addHelpText('after', examples)
    .action((options: ExerciseOptions, command: Command) => {
      console.log(JSON.stringify(decide(options, command), null, 2));
    });
}

function decide(options: ExerciseOptions, command: Command) {
  try {
    return runExercise(options);
  } catch (error) {
    if (!(error instanceof ContinuityFormatError)) throw error;
    return command.error(error.message, { exitCode: 2, code: 'malformed_value' });
  }
}

const examples = `
Try:
  continuity-gate inspect-continuity
      nothing has changed: reauthorization_required
  continuity-gate inspect-continuity --tamper-summary
      not the recorded summary: continuity_validation_failed, summary_digest_mismatch
  continuity-gate inspect-continuity --side-effect-status side_effect_unknown
      the effect may have happened: blocked_on_reconciliation
  continuity-gate inspect-continuity --policy-version policy-v4 --current-policy-version policy-v5
      another policy is in force: continuity_validation_failed, policy_version_changed
  continuity-gate inspect-continuity --approval-status revoked
      the approval is gone: continuity_validation_failed, approval_revoked

Exit status: 0 whatever the decision; 2 for a malformed value, with the operator error on stderr.`;
