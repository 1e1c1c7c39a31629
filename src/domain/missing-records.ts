import { actionsOf, type ActionFacts } from './actions.js';
import type { ControlStateFacts, EnvelopeFacts } from './facts.js';

/**
 * The records that the comparison needs and that no source has, each by its path under `/tenants/{tenant_id}/`: what an
 * operator would write to let the run continue. A principal's record is optional and never missing.
 */
export function missingRecords(envelope: EnvelopeFacts, current: ControlStateFacts): string[] {
  const actions = actionsOf({ envelope, current });
  const needed: Needed[] = [
    ['policy', current.policy_version],
    ...actions.map(neededCapability),
    [`sessions/${encodeURIComponent(envelope.session_id)}`, current.session],
    ...actions.flatMap(neededOfItsOwn),
  ];
  return [...new Set(absent(needed))];
}

/** Whether one of the two is absent that every session needs, whatever it is about to do. */
export function sessionRecordsAreMissing({ policy_version, session }: ControlStateFacts): boolean {
  return policy_version === null || session === null;
}

/** Whether a record is absent that the action needs. */
export function actionRecordsAreMissing(action: ActionFacts): boolean {
  return absent([neededCapability(action), ...neededOfItsOwn(action)]).length > 0;
}

/** A record's path, and what is held of it. */
type Needed = readonly [path: string, held: unknown];

function neededCapability({ frozen, capability_version }: ActionFacts): Needed {
  return [`capabilities/${encodeURIComponent(frozen.capability_name)}`, capability_version];
}

function neededOfItsOwn({ frozen: { approval_id, idempotency_key }, approval, side_effect }: ActionFacts) {
  const effect: Needed = [`side-effects/${encodeURIComponent(idempotency_key)}`, side_effect];
  if (approval_id === null) return [effect];
  const needed: Needed = [`approvals/${encodeURIComponent(approval_id)}`, approval];
  return [needed, effect];
}

function absent(needed: readonly Needed[]): string[] {
  return needed.filter(([, held]) => held === null).map(([path]) => path);
}
