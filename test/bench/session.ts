import { createHash } from 'node:crypto';

/** Records alone decide about a session, or the caller's own account of the present does. */
export type Mode = 'records' | 'attested';

/** One session of the store, and what its run remembers: both move on with every answer. */
export interface Session {
  readonly mode: Mode;
  readonly tenant_id: string;
  /** Eight hexadecimal digits, in every id of the session. */
  readonly key: string;
  readonly last_event: string;
  envelope_id: string;
  session_epoch: number;
}

export const capability = { name: 'create_ticket', version: 'create-ticket-v3' };
export const policyVersion = 'policy-v4';
export const principalOf = (tenant_id: string) => `user-of-${tenant_id}`;
export const sessionIdOf = ({ mode, key }: Pick<Session, 'mode' | 'key'>) => `${mode}-session-${key}`;
export const envelopeIdOf = ({ mode, key }: Pick<Session, 'mode' | 'key'>, count: number) =>
  `${mode}-envelope-${key}-${count}`;
export const eventId = (sequence: number) => `event-${String(sequence).padStart(6, '0')}`;

const summary =
  'The requester wants one ticket for the broken printer. The draft is ready and was approved; it is not sent yet.';
/** Long enough for an envelope of about 1.5 KB. */
const objective = `Resolve the support request without a duplicate. ${'Ask before a ticket is closed. '.repeat(7)}`;

/** What of the session is the same in its envelopes, its records and its attested state. */
function actionOf(session: Session) {
  const principal_id = principalOf(session.tenant_id);
  return {
    authorization_mode: 'user_delegated',
    delegated_principal_id: principal_id,
    delegated_scope: 'tickets:create',
    policy_version: policyVersion,
    capability_name: capability.name,
    capability_version: capability.version,
    approval_id: `${session.mode}-approval-${session.key}`,
    action_digest: sha256('the approved action'),
    idempotency_key: `${session.mode}-intent-${session.key}`,
    side_effect_status: 'not_started',
    checkpoint_ref: `checkpoint:${session.key}`,
  };
}

/** Body of `POST /envelopes`. */
export function sealBody(session: Session, envelope_id: string) {
  const { mode, key, tenant_id, session_epoch } = session;
  return {
    continuity_envelope: {
      schema_version: 'continuity-envelope/v1',
      envelope_id,
      tenant_id,
      principal_id: principalOf(tenant_id),
      session_id: sessionIdOf(session),
      source_trace_id: `trace-before-${key}`,
      reset_reason: 'context_compaction',
      objective,
      exact_constraint_refs: [`${mode}-constraint-${key}`],
      pending_obligations: ['tell_the_requester'],
      ...actionOf(session),
      approval_expires_at: approvalEnd,
      sandbox_snapshot_ref: `snapshot:${key}`,
      budget_remaining: 7,
      source_event_range: { first: eventId(1), last: session.last_event },
      summary_sha256: sha256(summary),
      evidence_refs: [`trace:trace-before-${key}`, `approval:${mode}-approval-${key}`],
      requires_reauthorization: true,
    },
    summary,
    ...(session_epoch > 0 && { session_epoch }),
  };
}

/** Body of `POST /rehydrate`. */
export function rehydrateBody(session: Session) {
  const { tenant_id, envelope_id, key } = session;
  const principal_id = principalOf(tenant_id);
  return {
    envelope_id,
    tenant_id,
    principal_id,
    session_id: sessionIdOf(session),
    trace_id: `trace-after-${key}`,
    summary,
    source_event_range: { first: eventId(1), last: session.last_event },
    runtime_id: `runtime-${key}`,
    ...(session.mode === 'attested' && {
      current_state: { tenant_id, principal_id, ...actionOf(session), approval_status: 'approved' },
    }),
  };
}

/** The records that agree with the session's envelope: paths below the tenant, and bodies. */
export function recordsOf(session: Session): { path: string; body: object }[] {
  const session_id = sessionIdOf(session);
  const { mode, key, tenant_id } = session;
  const action = actionOf(session);
  const { capability_name, approval_id, action_digest, idempotency_key, side_effect_status } = action;
  const bound = { session_id, capability_name, action_digest };
  return [
    {
      path: `sessions/${session_id}`,
      body: {
        session_status: 'active',
        principal_id: principalOf(tenant_id),
        authorization_mode: action.authorization_mode,
        delegated_principal_id: action.delegated_principal_id,
        delegated_scope: action.delegated_scope,
        idempotency_key,
        checkpoint_ref: action.checkpoint_ref,
        sandbox_snapshot_ref: `snapshot:${key}`,
        budget_remaining: 7,
        objective,
      },
    },
    {
      path: `constraints/${mode}-constraint-${key}`,
      body: {
        session_id,
        text: 'Never close a ticket without asking me first.',
        constraint_status: 'active',
      },
    },
    {
      path: `sessions/${session_id}/obligations/tell_the_requester`,
      body: { obligation_status: 'open' },
    },
    {
      path: `approvals/${approval_id}`,
      body: { ...bound, approval_status: 'approved', expires_at: approvalEnd },
    },
    { path: `side-effects/${idempotency_key}`, body: { ...bound, approval_id, side_effect_status } },
  ];
}

/** A stretch of the session's log, its bounds included. */
export function eventsBody(first: number, last: number) {
  return {
    events: Array.from({ length: last - first + 1 }, (_, index) => ({
      event_id: eventId(first + index),
      event_type: 'agent_step',
      content_sha256: sha256(`event ${first + index}`),
    })),
  };
}

const approvalEnd = '2999-12-31T23:59:59Z';

function sha256(text: string): string {
  return `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
}
