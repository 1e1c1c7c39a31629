import type { ActionFacts } from './actions.js';
import { missesAny } from './compare.js';
import type { SealingFacts } from './facts.js';

/** Whether the ledger says that the outcome of the action's own effect is not known. */
export function effectIsUnknown({ side_effect }: ActionFacts): boolean {
  return side_effect?.side_effect_status === 'side_effect_unknown';
}

/** An effect that the ledger calls unknown is `unknown_side_effect`, whatever the envelope claims. */
export function effectStatusDiffers(action: ActionFacts): boolean {
  const { frozen, side_effect } = action;
  if (!side_effect || effectIsUnknown(action)) return false;
  if (side_effect.side_effect_status === frozen.side_effect_status) return false;
  return !(frozen.side_effect_status === 'side_effect_unknown' && side_effect.reconciled);
}

/**
 * Whether an effect is left out, or given an outcome, that the previous envelope called unknown: where no ledger keeps it
 * in mind, it is carried on until it is released with evidence.
 */
export function hidesUnknownEffect({ envelope, previous, released }: SealingFacts): boolean {
  const unknown = envelope.actions.filter(
    ({ side_effect_status }) => side_effect_status === 'side_effect_unknown',
  );
  const carriedOn = [...released, ...unknown.map(({ idempotency_key }) => idempotency_key)];
  return missesAny(carriedOn, previous?.unknown_effects ?? []);
}
