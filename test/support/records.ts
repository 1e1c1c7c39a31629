import type { Answer } from './answer.js';
import { edited, type Edit } from './edit-json.js';
import type { Requests } from './requests.js';
import type { TestApp } from './test-app.js';

type Body = Readonly<Record<string, unknown>>;

/** Records of one tenant, written and read as their systems of record do. */
export interface TenantRecords {
  /** Paths are below the tenant. */
  put(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
}

export function recordsOfTenant(gate: TestApp, tenantId: string): TenantRecords {
  const url = (path: string) => `/tenants/${encodeURIComponent(tenantId)}/${path}`;
  const send = (method: 'PUT' | 'POST', path: string, body: unknown, headers = {}) =>
    gate.inject({
      method,
      url: url(path),
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(body),
    });
  return {
    put: (path, body, headers) => send('PUT', path, body, headers),
    get: (path) => gate.inject({ method: 'GET', url: url(path) }),
    post: (path, body) => send('POST', path, body),
  };
}

/** The names of the records that a session is resumed from. */
export const everyRecord = [
  'policy',
  'capability',
  'principal',
  'session',
  'obligation',
  'constraint',
  'approval',
  'side_effect',
] as const;
export type RecordName = (typeof everyRecord)[number];

export function isRecordName(text: string): text is RecordName {
  return everyRecord.some((name) => name === text);
}

/** The records that agree with everything in the session's envelope, each with its path below the tenant. */
export function matchingRecords(run: Requests): Record<RecordName, { path: string; body: Body }> {
  const sealed = run.envelope();
  return {
    policy: { path: 'policy', body: { policy_version: sealed.policy_version } },
    capability: {
      path: `capabilities/${sealed.capability_name}`,
      body: { capability_version: sealed.capability_version },
    },
    principal: { path: `principals/${run.principal_id}`, body: { principal_status: 'active' } },
    session: {
      path: `sessions/${run.session_id}`,
      body: {
        session_status: 'active',
        principal_id: sealed.principal_id,
        authorization_mode: sealed.authorization_mode,
        delegated_principal_id: sealed.delegated_principal_id,
        delegated_scope: sealed.delegated_scope,
        idempotency_key: sealed.idempotency_key,
        checkpoint_ref: sealed.checkpoint_ref,
        sandbox_snapshot_ref: sealed.sandbox_snapshot_ref,
        budget_remaining: sealed.budget_remaining,
        objective: sealed.objective,
      },
    },
    obligation: {
      path: `sessions/${run.session_id}/obligations/${run.obligation_id}`,
      body: { obligation_status: 'open' },
    },
    constraint: {
      path: `constraints/${run.constraint_ref}`,
      body: { session_id: run.session_id, text: constraintText, constraint_status: 'active' },
    },
    approval: {
      path: `approvals/${sealed.approval_id}`,
      body: {
        session_id: run.session_id,
        capability_name: sealed.capability_name,
        action_digest: sealed.action_digest,
        approval_status: 'approved',
        expires_at: sealed.approval_expires_at,
      },
    },
    side_effect: {
      path: `side-effects/${sealed.idempotency_key}`,
      body: {
        session_id: run.session_id,
        capability_name: sealed.capability_name,
        approval_id: sealed.approval_id,
        action_digest: sealed.action_digest,
        side_effect_status: sealed.side_effect_status,
      },
    },
  };
}

/** The text of the constraint that every session has unless its test says otherwise. */
export const constraintText = 'Never close a ticket\n\twithout asking.';

/** The session's event log: the range of its envelope, from its first event to its last. */
export function matchingEvents(run: Requests): { events: Body[] } {
  const prefix = run.envelope().source_event_range.first.replace(/1$/, '');
  const events = Array.from({ length: 9 }, (_, index) => ({
    event_id: `${prefix}${index + 1}`,
    event_type: 'tool_call',
    content_sha256: `sha256:content-${index + 1}`,
  }));
  return { events };
}

/** Writes all of a session's records and its log (`events`), but for those to be left out. */
export async function writeMatchingRecords(
  gate: TestApp,
  run: Requests,
  { without = [] }: { without?: readonly string[] } = {},
): Promise<void> {
  const tenant = recordsOfTenant(gate, run.tenant_id);
  for (const [name, { path, body }] of Object.entries(matchingRecords(run))) {
    if (!without.includes(name)) expectWritten(await tenant.put(path, body));
  }
  if (!without.includes('events')) {
    expectWritten(await tenant.post(`sessions/${run.session_id}/events`, matchingEvents(run)));
  }
}

/** Writes one of the session's records again, changed. */
export async function changeRecord(gate: TestApp, run: Requests, name: RecordName, edit: Edit) {
  const { path, body } = matchingRecords(run)[name];
  const answer = await recordsOfTenant(gate, run.tenant_id).put(path, edited(body, edit));
  expectWritten(answer);
  return answer;
}

function expectWritten({ status, text }: Answer): void {
  if (status !== 200 && status !== 201) throw new Error(`A record was not written: ${text}`);
}
