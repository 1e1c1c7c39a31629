import type { ActionFacts } from './actions.js';

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
