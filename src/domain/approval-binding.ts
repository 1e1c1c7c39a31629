import type { ActionFacts } from './actions.js';
import { differs } from './compare.js';
import { isNotAfter } from './expiry.js';
import type { EnvelopeFacts, SealingFacts } from './facts.js';

interface Bound {
  readonly envelope: Pick<EnvelopeFacts, 'session_id'>;
}

/** Whether the approval is another one, or one of another session or capability. */
export function approvalIsBoundElsewhere(
  { frozen, approval, side_effect }: ActionFacts,
  { envelope: { session_id } }: Bound,
): boolean {
  return (
    // None in the ledger is another one too.
    (side_effect !== null && side_effect.approval_id !== frozen.approval_id) ||
    differs(side_effect?.session_id, session_id) ||
    differs(approval?.session_id, session_id) ||
    differs(approval?.capability_name, frozen.capability_name)
  );
}

/**
 * A new version forces a new decision: sealing an old approval again under new versions would launder the change. Nor is
 * it sealed again for another key, under which the call would be made a second time, or with a later end.
 */
export function approvalWasSealedUnderOthers(
  { frozen, first_binding }: ActionFacts,
  { envelope }: SealingFacts,
): boolean {
  return (
    first_binding !== null &&
    (first_binding.policy_version !== envelope.policy_version ||
      first_binding.capability_version !== frozen.capability_version ||
      first_binding.action_digest !== frozen.action_digest ||
      differs(first_binding.idempotency_key, frozen.idempotency_key) ||
      endsLater(frozen.approval_expires_at, first_binding.approval_expires_at))
  );
}

function endsLater(end: string | null, sealedEnd: string | undefined): boolean {
  return sealedEnd !== undefined && (end === null || !isNotAfter(end, sealedEnd));
}
