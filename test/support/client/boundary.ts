import { randomUUID } from 'node:crypto';

import type { ResumeRequest, SealRequest } from '../../../src/client/index.js';
import { requestsOf, summary } from '../requests.js';

/** A session of its own, as a runtime tells it to the client. */
export function boundaryOf(prefix = randomUUID()) {
  const requests = requestsOf(prefix);
  const sealed = requests.envelope();
  const { tenant_id, session_id, principal_id, envelope_id } = requests;
  const pendingAction = {
    capability_name: sealed.capability_name,
    capability_version: sealed.capability_version,
    approval_id: sealed.approval_id,
    approval_expires_at: sealed.approval_expires_at,
    action_digest: sealed.action_digest,
    idempotency_key: sealed.idempotency_key,
  };
  const state: SealRequest['state'] = {
    tenant_id,
    session_id,
    principal_id,
    envelope_id,
    source_trace_id: sealed.source_trace_id,
    objective: sealed.objective,
    authorization_mode: 'user_delegated',
    delegated_principal_id: sealed.delegated_principal_id,
    delegated_scope: sealed.delegated_scope,
    policy_version: sealed.policy_version,
    checkpoint_ref: sealed.checkpoint_ref,
    exact_constraint_refs: sealed.exact_constraint_refs,
    pending_obligations: sealed.pending_obligations,
    source_event_range: sealed.source_event_range,
    pending_action: { ...pendingAction, side_effect_status: 'not_started' },
  };
  const attested = (side_effect_status: 'not_started' | 'side_effect_unknown' = 'not_started') =>
    ({
      tenant_id,
      principal_id,
      authorization_mode: 'user_delegated',
      delegated_principal_id: sealed.delegated_principal_id,
      delegated_scope: sealed.delegated_scope,
      policy_version: sealed.policy_version,
      capability_name: sealed.capability_name,
      capability_version: sealed.capability_version,
      approval_id: sealed.approval_id,
      action_digest: sealed.action_digest,
      approval_status: 'approved',
      idempotency_key: sealed.idempotency_key,
      side_effect_status,
      checkpoint_ref: sealed.checkpoint_ref,
    }) as const;
  const identity = {
    envelope_id,
    tenant_id,
    principal_id,
    session_id,
    trace_id: `${prefix}-trace-2`,
    runtime_id: `${prefix}-runtime`,
    summary,
  };
  return {
    requests,
    state,
    /** Nobody speaks of its effect. */
    pendingAction,
    /** A resumption by the gate's records alone. */
    resumptionByRecords: (): ResumeRequest => identity,
    attested,
    seal: (changes: Partial<SealRequest> = {}): SealRequest => ({ state, summary, ...changes }),
    resumption: (changes: Partial<ResumeRequest> = {}): ResumeRequest => ({
      ...identity,
      source_event_range: sealed.source_event_range,
      current_state: attested(),
      ...changes,
    }),
  };
}
