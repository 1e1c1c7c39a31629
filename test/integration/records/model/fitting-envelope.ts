import { digestOf } from '../../../support/requests.js';
import { constraintsOf, list, text } from './decisions.js';
import { recordsOf, sessionOf, type Body, type Tenant } from './store.js';
import { defaults, future, summary } from './world.js';

/** An envelope of the session that agrees with all that is on record. */
export function fittingEnvelope(tenant: Tenant, session_id: string, envelope_id: string): Body {
  const bodyOf = (path: string): Body => tenant.records.get(path)?.body ?? {};
  const record = { ...defaults, objective: 'Resolve it.', ...bodyOf(`sessions/${session_id}`) };
  const action = {
    capability_name: 'create',
    approval_id: 'a0',
    action_digest: 'd0',
    side_effect_status: 'not_started',
    ...bodyOf(`side-effects/${text(record, 'idempotency_key')}`),
  };
  return {
    schema_version: 'continuity-envelope/v1',
    envelope_id,
    session_id,
    source_trace_id: 'trace-1',
    reset_reason: 'context_compaction',
    objective: record.objective,
    exact_constraint_refs: carried(tenant, session_id, 'exact_constraint_refs'),
    pending_obligations: carried(tenant, session_id, 'pending_obligations'),
    principal_id: record.principal_id,
    authorization_mode: record.authorization_mode,
    delegated_principal_id: '',
    delegated_scope: '',
    policy_version: bodyOf('policy')['policy_version'] ?? 'v1',
    capability_name: action.capability_name,
    capability_version: bodyOf(`capabilities/${action.capability_name}`)['capability_version'] ?? 'v1',
    approval_id: action.approval_id,
    action_digest: action.action_digest,
    approval_expires_at: future,
    idempotency_key: record.idempotency_key,
    side_effect_status: action.side_effect_status,
    checkpoint_ref: record.checkpoint_ref,
    sandbox_snapshot_ref: bodyOf(`sessions/${session_id}`)['sandbox_snapshot_ref'],
    budget_remaining: bodyOf(`sessions/${session_id}`)['budget_remaining'],
    source_event_range: uncovered(tenant, session_id),
    summary_sha256: digestOf(summary),
    evidence_refs: [],
    requires_reauthorization: true,
  };
}

/** What binds or is owed, and what the newest envelope carries of it, without what is withdrawn or discharged. */
function carried(tenant: Tenant, sessionId: string, field: string): string[] {
  const records =
    field === 'exact_constraint_refs'
      ? constraintsOf(tenant, sessionId)
      : recordsOf(tenant, `sessions/${sessionId}/obligations/`);
  const idsOf = (...statuses: string[]) =>
    [...records]
      .filter(([, body]) => Object.values(body).some((value) => statuses.includes(String(value))))
      .map(([id]) => id);
  const done = idsOf('withdrawn', 'discharged');
  const before = list(newestOf(tenant, sessionId)?.envelope, field).filter((item) => !done.includes(item));
  return [...new Set([...before, ...idsOf('active', 'open')])];
}

/** From behind the newest envelope's range to the end of the log, or its last event alone. */
function uncovered(tenant: Tenant, sessionId: string): Body {
  const { log } = sessionOf(tenant, sessionId);
  const from = Math.min(newestOf(tenant, sessionId)?.log?.length ?? 0, log.length - 1);
  const [first, last] = [log[from], log.at(-1)].map((event) => event?.['event_id'] ?? 'nowhere');
  return { first, last };
}

function newestOf(tenant: Tenant, sessionId: string) {
  return tenant.envelopes.get(sessionOf(tenant, sessionId).newest ?? '');
}
