import { createHash } from 'node:crypto';

/** Changes to a valid value: what is undefined is left out of the JSON. */
type Changes = Readonly<Record<string, unknown>>;

export interface SealChanges {
  /** Changes to the envelope itself. */
  readonly envelope?: Changes;
  readonly summary?: unknown;
  readonly session_epoch?: unknown;
  readonly released?: unknown;
}

/**
 * Valid requests of one session, whose ids all begin with the same prefix: tests say only what is of interest to them,
 * and can't meet each other in the store.
 */
export function requestsOf(prefix: string) {
  const ids = {
    tenant_id: `${prefix}-tenant`,
    principal_id: `${prefix}-principal`,
    session_id: `${prefix}-session`,
  };
  const envelope_id = `${prefix}-envelope`;
  const action = {
    authorization_mode: 'user_delegated',
    delegated_principal_id: ids.principal_id,
    delegated_scope: 'tickets:create',
    policy_version: 'policy-v4',
    capability_name: 'create_ticket',
    capability_version: 'create-ticket-v3',
    approval_id: `${prefix}-approval`,
    action_digest: 'sha256:approved-action',
    idempotency_key: `${prefix}-intent`,
    side_effect_status: 'not_started',
    checkpoint_ref: `${prefix}-checkpoint`,
  };
  const source_event_range = { first: `${prefix}-event-1`, last: `${prefix}-event-9` };

  const envelope = (changes: Changes = {}) => ({
    schema_version: 'continuity-envelope/v1',
    envelope_id,
    ...ids,
    source_trace_id: `${prefix}-trace-1`,
    reset_reason: 'context_compaction',
    objective: `Resolve the support request.\n\tWithout a duplicate.`,
    exact_constraint_refs: [`${prefix}-constraint`],
    pending_obligations: [`${prefix}-obligation`],
    ...action,
    approval_expires_at: '2999-12-31T23:59:59.999999Z',
    sandbox_snapshot_ref: `${prefix}-snapshot`,
    budget_remaining: 7,
    source_event_range,
    summary_sha256: digestOf(summary),
    evidence_refs: [`${prefix}-evidence`],
    requires_reauthorization: true,
    ...changes,
  });
  const attestedState = (changes: Changes = {}) => ({
    tenant_id: ids.tenant_id,
    principal_id: ids.principal_id,
    ...action,
    approval_status: 'approved',
    ...changes,
  });
  return {
    ...ids,
    envelope_id,
    idempotency_key: action.idempotency_key,
    constraint_ref: `${prefix}-constraint`,
    obligation_id: `${prefix}-obligation`,
    envelope,
    attestedState,
    /** Body of `POST /envelopes`. */
    sealRequest: ({ envelope: changes = {}, ...others }: SealChanges = {}) => ({
      continuity_envelope: envelope(changes),
      summary,
      ...others,
    }),
    /** Body of `POST /rehydrate`. */
    rehydrateRequest: (changes: Changes = {}) => ({
      envelope_id,
      ...ids,
      trace_id: `${prefix}-trace-2`,
      summary,
      source_event_range,
      runtime_id: `${prefix}-runtime`,
      current_state: attestedState(),
      ...changes,
    }),
  };
}

export type Requests = ReturnType<typeof requestsOf>;

/** The summary that every request presents unless it says otherwise. */
export const summary = 'The ticket is half written; the user has not confirmed anything.';

/** What binds a text without white space around it. */
export function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
}
