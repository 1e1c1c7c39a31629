import { rules, type FindingReason } from './rules.js';

/** What it means that no rule failed. */
export const goReason = {
  reason: 'continuity_validated',
  meaning: 'No rule found anything. The next call still needs authorization.',
  remedy: 'Rebuild the context from `context_view`, then ask for authorization before the next call.',
} as const;

/** Why there was nothing to compare: a stop before the first rule. */
export const refusals = [
  {
    reason: 'envelope_not_found',
    meaning: 'The tenant has no such envelope.',
    remedy: 'Check the envelope id and the tenant. Without an envelope there is nothing to resume from.',
  },
  {
    reason: 'attested_state_refused',
    meaning: 'The caller may not attest the current state here.',
    remedy: 'Leave out `current_state` and `released`: the records of the session speak for it.',
  },
] as const;
export type RefusalReason = (typeof refusals)[number]['reason'];

/** What a rule can find, in the order in which the rules are asked; the first finding is the reason. */
export const findingReasons = rules.map(({ reason }) => reason);
export const refusalReasons = refusals.map(({ reason }) => reason);

export type DecisionReason = typeof goReason.reason | FindingReason | RefusalReason;
export const decisionReasons = [goReason.reason, ...findingReasons, ...refusalReasons] as const;
