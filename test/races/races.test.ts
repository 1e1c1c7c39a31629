import { expect, it } from 'vitest';

import { groupBy, isResumption, promises, type Exchange } from './history.js';
import { runRaces } from './run-races.js';

/** Sessions in all; each of them lives through eleven races or twelve. */
const sessions = 200;

const wantedReasons = [
  'approval_revoked',
  'capability_version_changed',
  'continuity_validated',
  'envelope_superseded',
  'policy_version_changed',
  'principal_not_active',
  'session_not_active',
  'side_effect_status_changed',
  'stale_epoch',
  'unknown_side_effect',
];

it(
  'misses no change that was acknowledged, on three processes over one database',
  { timeout: 300_000 },
  async () => {
    const { exchanges, races, violations, deadlocks, rollbacks } = await runRaces({
      processes: 3,
      sessions,
      atOnce: 8,
    });

    console.log(
      `${races} races, ${exchanges.length} requests, ${repeats(exchanges)} answers given again under their key:`,
      `${violations.length} violations of ${Object.keys(promises).length} promises, ${deadlocks} deadlocks, ${rollbacks} transactions rolled back`,
    );
    expect(violations).toEqual([]);
    expect({ deadlocks, rollbacks }).toEqual({ deadlocks: 0, rollbacks: 0 });
    expect(races).toBeGreaterThan(2_000);
    expect(reasons(exchanges)).toEqual(wantedReasons);
  },
);

function reasons(exchanges: readonly Exchange[]): string[] {
  return [...new Set(exchanges.filter(isResumption).map(({ body }) => String(body['reason'])))].sort();
}

function repeats(exchanges: readonly Exchange[]): number {
  const decisions = groupBy(exchanges.filter(isResumption), ({ body }) => body['decision_id']);
  return [...decisions.values()].reduce((sum, answers) => sum + answers.length - 1, 0);
}
