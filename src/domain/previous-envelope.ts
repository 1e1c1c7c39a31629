import { envelopeFacts, frozenActionsOf, isKnown } from './envelope/versions.js';
import type { SealedEnvelope } from './envelope/sealed.js';
import { isNotAfter } from './expiry.js';
import type { ApprovalBinding, FrozenAction, SealingFacts } from './facts.js';

/** The envelope that the next one follows on, as far as sealing that one depends on it. */
export interface PreviousEnvelope extends SealedEnvelope {
  readonly last_sequence: number | null;
  /** Those of its idempotency keys that the ledger has an entry for. */
  readonly recorded_keys: readonly string[];
}

/** What an envelope carries on to the next one. */
export function carriedOn(previous: PreviousEnvelope): NonNullable<SealingFacts['previous']> {
  const { constraints, pending_obligations } = envelopeFacts(previous);
  const recorded = new Set(previous.recorded_keys);
  return {
    constraint_refs: constraints.map(({ ref }) => ref),
    pending_obligations,
    last_sequence: previous.last_sequence,
    // What the ledger knows it keeps in mind by itself.
    unknown_effects: actionsOf(previous).flatMap(({ idempotency_key, side_effect_status }) =>
      side_effect_status === 'side_effect_unknown' && !recorded.has(idempotency_key) ? [idempotency_key] : [],
    ),
  };
}

/** What an approval is bound to: what it was sealed under first, and the earlier one of the ends that it was given. */
export function boundTo(
  approvalId: string,
  first: ApprovalBinding | undefined,
  previous: SealedEnvelope | null,
): ApprovalBinding | null {
  if (!first) return null;
  const sealedAgain = previous && actionsOf(previous).find(({ approval_id }) => approval_id === approvalId);
  const ends = [first.approval_expires_at, sealedAgain?.approval_expires_at].filter(
    (end) => typeof end === 'string',
  );
  const [end] = ends.toSorted((one, other) => (one === other ? 0 : isNotAfter(one, other) ? -1 : 1));
  return { ...first, ...(end !== undefined && { approval_expires_at: end }) };
}

/** The actions of an envelope that can be read: of one that can't, nothing is taken for granted. */
function actionsOf(sealed: SealedEnvelope): readonly FrozenAction[] {
  return isKnown(sealed.envelope) ? frozenActionsOf(sealed.envelope) : [];
}
