import type { ControlStateFacts, EnvelopeFacts } from './facts.js';

/**
 * The records that the comparison needs and that no source has, each by its path under `/tenants/{tenant_id}/`: what an
 * operator would write to let the run continue. A principal's record is optional and never missing.
 */
export function missingRecords(envelope: EnvelopeFacts, current: ControlStateFacts): string[] {
  const { action, session_id } = envelope;
  const needed: [path: string, held: unknown][] = [
    ['policy', current.policy_version],
    [`capabilities/${encodeURIComponent(action.capability_name)}`, current.capability_version],
    [`sessions/${encodeURIComponent(session_id)}`, current.session],
    [`approvals/${encodeURIComponent(action.approval_id)}`, current.approval],
    [`side-effects/${encodeURIComponent(action.idempotency_key)}`, current.side_effect],
  ];
  return needed.filter(([, held]) => held === null).map(([path]) => path);
}
