import { createHash } from 'node:crypto';

import type { SessionSheet } from './scenario.js';

/** The session that every scenario begins with: a support ticket is about to be written. */
export const standardSession: SessionSheet = {
  session_id: 'session-support-001',
  principal_id: 'user-42',
  authorization_mode: 'user_delegated',
  delegated_principal_id: 'user-42',
  delegated_scope: 'tickets:create',
  policy_version: 'policy-v4',
  capability_name: 'create_ticket',
  capability_version: 'create-ticket-v3',
  approval_id: 'apr-017',
  action_digest: 'sha256:approved-action',
  approval_expires_at: 'now+1h',
  idempotency_key: 'ticket-intent-017',
  side_effect_status: 'not_started',
  checkpoint_ref: 'checkpoint:support-042-step-6',
  sandbox_snapshot_ref: 'snapshot:support-042',
  budget_remaining: 7,
  objective: 'Resolve the support request without creating a duplicate ticket.',
  constraints: [
    {
      ref: 'event:user-constraint-017',
      text: 'Never close a ticket without asking me first.',
      forbids_capability: 'close_ticket',
    },
  ],
  obligations: ['tell_the_requester'],
  events: ['event-0001', 'event-0002', 'event-0003', 'event-0004', 'event-0005', 'event-0006'],
  reset_reason: 'context_compaction',
};

export const standardSummary =
  'The requester wants one ticket for the broken printer. The draft is ready and was approved; it is not sent yet.';

/** One call that writes control state, its path below the tenant. */
export interface RecordWrite {
  readonly method: 'PUT' | 'POST';
  readonly path: string;
  readonly body: Body;
}

export type Body = Readonly<Record<string, unknown>>;

/** The records that agree with everything that is true of a session. */
export function recordsOf(sheet: SessionSheet): RecordWrite[] {
  const put = (path: string, body: Body): RecordWrite => ({ method: 'PUT', path, body: withoutNulls(body) });
  const { session_id, capability_name, approval_id, action_digest } = sheet;
  return [
    put('policy', { policy_version: sheet.policy_version }),
    put(`capabilities/${capability_name}`, { capability_version: sheet.capability_version }),
    put(`sessions/${session_id}`, {
      session_status: 'active',
      principal_id: sheet.principal_id,
      authorization_mode: sheet.authorization_mode,
      delegated_principal_id: sheet.delegated_principal_id,
      delegated_scope: sheet.delegated_scope,
      idempotency_key: sheet.idempotency_key,
      checkpoint_ref: sheet.checkpoint_ref,
      sandbox_snapshot_ref: sheet.sandbox_snapshot_ref,
      budget_remaining: sheet.budget_remaining,
      objective: sheet.objective,
    }),
    ...sheet.constraints.map(({ ref, ...constraint }) =>
      put(`constraints/${ref}`, { session_id, ...constraint, constraint_status: 'active' }),
    ),
    ...sheet.obligations.map((obligation) =>
      put(`sessions/${session_id}/obligations/${obligation}`, { obligation_status: 'open' }),
    ),
    put(`approvals/${approval_id}`, {
      session_id,
      capability_name,
      action_digest,
      approval_status: 'approved',
      expires_at: sheet.approval_expires_at,
    }),
    put(`side-effects/${sheet.idempotency_key}`, {
      session_id,
      capability_name,
      approval_id,
      action_digest,
      side_effect_status: sheet.side_effect_status,
    }),
    {
      method: 'POST',
      path: `sessions/${session_id}/events`,
      body: { events: sheet.events.map(loggedEvent) },
    },
  ];
}

/** What is sealed of a session by a runtime that tells the truth. */
export function envelopeOf(sheet: SessionSheet, tenant_id: string, summary: string): Body {
  const { constraints, obligations, events, ...fields } = sheet;
  return withoutNulls({
    schema_version: 'continuity-envelope/v1',
    envelope_id: 'ce-001',
    source_trace_id: 'trace-before',
    tenant_id,
    ...fields,
    exact_constraint_refs: constraints.map(({ ref }) => ref),
    pending_obligations: obligations,
    source_event_range: { first: events.at(0) ?? 'event-0001', last: events.at(-1) ?? 'event-0001' },
    summary_sha256: summaryDigest(summary),
    evidence_refs: ['trace:trace-before', `approval:${sheet.approval_id}`],
    requires_reauthorization: true,
  });
}

/** What a run says of itself when it wants to resume. */
export function resumptionOf(sheet: SessionSheet, tenant_id: string, summary: string): Body {
  return {
    envelope_id: 'ce-001',
    tenant_id,
    principal_id: sheet.principal_id,
    session_id: sheet.session_id,
    trace_id: 'trace-after',
    summary,
  };
}

/** A body with some of its fields changed; null leaves a field out. */
export function over(body: Body, changes: Body = {}): Body {
  return withoutNulls({ ...body, ...changes });
}

function loggedEvent(event_id: string): Body {
  return { event_id, event_type: 'agent_step', content_sha256: `sha256:${sha256(event_id)}` };
}

/** The contract's digest of a summary; white space around the text, as Unicode has it, is no part of it. */
function summaryDigest(summary: string): string {
  return `sha256:${sha256(summary.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, ''))}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function withoutNulls(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}
