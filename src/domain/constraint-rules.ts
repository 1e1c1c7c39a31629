import type { ActionFacts } from './actions.js';
import { differs } from './compare.js';
import type { ComparedFacts } from './facts.js';

/** Whether the text of a constraint, or what it forbids, is another one than at sealing. */
export function aConstraintHasChanged({ envelope, current: { constraints = [] } }: ComparedFacts): boolean {
  const frozen = new Map(envelope.constraints.map(({ ref, frozen_sha256 }) => [ref, frozen_sha256]));
  return constraints.some(({ ref, sha256 }) => sha256 !== undefined && differs(frozen.get(ref), sha256));
}

/** Whether a constraint that binds now forbids the action, sealed with the envelope or not. */
export function aConstraintForbids(
  { frozen }: ActionFacts,
  { current: { constraints = [] } }: ComparedFacts,
): boolean {
  return constraints.some(
    ({ constraint_status, forbids_capability }) =>
      constraint_status === 'active' && forbids_capability === frozen.capability_name,
  );
}
