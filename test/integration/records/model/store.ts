/**
 * A small model of the governed store: what a tenant's records, logs and envelopes are after any calls, written from the
 * contract alone and without the service's code. It knows two things of every call: how it is answered, and what it
 * changes.
 */

export type Body = Readonly<Record<string, unknown>>;

export const recordKinds = [
  'policy',
  'capability',
  'principal',
  'session',
  'obligation',
  'constraint',
  'approval',
  'side_effect',
] as const;
export type Kind = (typeof recordKinds)[number];

export interface ModelRecord {
  readonly body: Body;
  readonly revision: number;
}

/** An envelope with what was frozen beside it. */
export interface Sealed {
  readonly envelope: Body;
  /** Text and what it forbids, of each constraint that was held. */
  readonly frozen: ReadonlyMap<string, string>;
  /** The log up to the end of the range; undefined where there was none. */
  readonly log: readonly Body[] | undefined;
  /** Whether the session's record named its principal. */
  readonly principalRecorded: boolean;
}

export interface Session {
  epoch: number;
  newest: string | undefined;
  hasRecords: boolean;
  log: readonly Body[];
  /** Events in its chain of the trace. */
  traced: number;
}

export interface Tenant {
  readonly records: Map<string, ModelRecord>;
  readonly sessions: Map<string, Session>;
  readonly envelopes: Map<string, Sealed>;
  /** Under which envelope each approval of a session was first sealed. */
  readonly bindings: Map<string, Sealed>;
  /** The last settlement of each effect. */
  readonly settled: Map<string, Body>;
}

export function emptyTenant(): Tenant {
  return {
    records: new Map(),
    sessions: new Map(),
    envelopes: new Map(),
    bindings: new Map(),
    settled: new Map(),
  };
}

export function sessionOf(tenant: Tenant, id: string): Session {
  const found = tenant.sessions.get(id);
  if (found) return found;
  const made = { epoch: 0, newest: undefined, hasRecords: false, log: [], traced: 0 };
  tenant.sessions.set(id, made);
  return made;
}

/** How a call is answered: the status, and the code of an error or the revision of a record. */
export type Expected =
  | { readonly status: 200 | 201; readonly revision?: number }
  | { readonly status: 404 | 409 | 412; readonly code: string };

export interface Put {
  readonly kind: Kind;
  readonly path: string;
  /** The session of the record's path, if it has one there. */
  readonly session?: string | undefined;
  readonly body: Body;
  readonly session_epoch?: number | undefined;
  readonly ifMatch?: number | '*' | undefined;
}

export function put(tenant: Tenant, { kind, path, session, body, session_epoch, ifMatch }: Put): Expected {
  const owner = session ?? body['session_id'];
  const current = tenant.records.get(path);
  if (typeof owner === 'string') {
    const { epoch } = sessionOf(tenant, owner);
    if (session_epoch !== undefined && session_epoch !== epoch) return refused('stale_epoch');
  }
  if (ifMatch !== undefined && (!current || (ifMatch !== '*' && ifMatch !== current.revision))) {
    return { status: 412, code: 'precondition_failed' };
  }
  if (current && same(current.body, body)) return { status: 200, revision: current.revision };
  const refusal =
    (current && transitionRefusal(kind, current.body, body)) ?? linkRefusal(tenant, kind, path, body);
  if (refusal !== undefined) return refused(refusal);
  const revision = (current?.revision ?? 0) + 1;
  tenant.records.set(path, { body, revision });
  if (typeof owner === 'string') trace(tenant, owner, { hasRecords: true });
  return { status: current ? 200 : 201, revision };
}

const frozen: Partial<Record<Kind, readonly string[]>> = {
  constraint: ['session_id'],
  approval: ['session_id', 'capability_name', 'action_digest'],
  side_effect: ['session_id', 'capability_name', 'approval_id', 'action_digest'],
};

/** Statuses that nothing may follow on by a write. */
const final = [
  'cancelled',
  'ended',
  'discharged',
  'rejected',
  'revoked',
  'expired',
  'side_effect_committed',
  'side_effect_unknown',
];

function transitionRefusal(kind: Kind, current: Body, proposed: Body): string | undefined {
  if (frozen[kind]?.some((field) => current[field] !== proposed[field])) return 'record_field_frozen';
  const status = `${kind}_status`;
  if (current[status] !== proposed[status] && final.includes(String(current[status])))
    return 'status_transition_refused';
  return kind === 'approval' && String(proposed['expires_at']) > String(current['expires_at'])
    ? 'expiry_extended'
    : undefined;
}

function linkRefusal(tenant: Tenant, kind: Kind, path: string, body: Body): string | undefined {
  if (kind === 'approval') {
    const effect = effectOfApproval(tenant, path.replace('approvals/', ''));
    return effect && !sameAction(effect.body, body) ? 'approval_mismatch' : undefined;
  }
  if (kind !== 'side_effect') return undefined;
  const approvalId = String(body['approval_id']);
  const other = effectOfApproval(tenant, approvalId);
  if (other && other.path !== path) return 'approval_already_bound';
  const approval = tenant.records.get(`approvals/${approvalId}`);
  return approval && !sameAction(approval.body, body) ? 'approval_mismatch' : undefined;
}

function effectOfApproval(tenant: Tenant, approvalId: string) {
  for (const [path, { body }] of tenant.records) {
    if (path.startsWith('side-effects/') && body['approval_id'] === approvalId) return { path, body };
  }
  return undefined;
}

function sameAction(one: Body, other: Body): boolean {
  return ['session_id', 'capability_name', 'action_digest'].every((field) => one[field] === other[field]);
}

export function append(tenant: Tenant, sessionId: string, batch: readonly Body[]): Expected {
  const { log } = sessionOf(tenant, sessionId);
  const grown = [...log];
  for (const event of batch) {
    const known = grown.find(({ event_id }) => event_id === event['event_id']);
    if (known && !same(known, event)) return refused('event_conflict');
    if (!known) grown.push(event);
  }
  if (grown.length === log.length) return { status: 200 };
  trace(tenant, sessionId, { hasRecords: true, log: grown });
  return { status: 201 };
}

export function settle(tenant: Tenant, key: string, settlement: Body): Expected {
  const path = `side-effects/${key}`;
  const effect = tenant.records.get(path);
  if (!effect) return { status: 404, code: 'record_not_found' };
  const { side_effect_status: status, session_id } = effect.body;
  if (status !== 'side_effect_unknown') {
    const last = tenant.settled.get(key);
    const again = last && same(last, settlement) && status === settlement['outcome'];
    return again ? { status: 200, revision: effect.revision } : refused('effect_not_unknown');
  }
  const revision = effect.revision + 1;
  tenant.records.set(path, { body: { ...effect.body, side_effect_status: settlement['outcome'] }, revision });
  tenant.settled.set(key, settlement);
  trace(tenant, String(session_id), { hasRecords: true });
  return { status: 200, revision };
}

/** An event in the chain of a session, and what else changes with it. */
export function trace(tenant: Tenant, sessionId: string, change: Partial<Session> = {}): void {
  const session = sessionOf(tenant, sessionId);
  Object.assign(session, change, { traced: session.traced + 1 });
}

/** The records of one kind, by the last part of their paths. */
export function recordsOf(tenant: Tenant, prefix: string): Map<string, Body> {
  const found = [...tenant.records].filter(([path]) => path.startsWith(prefix));
  return new Map(found.map(([path, { body }]) => [path.slice(prefix.length), body]));
}

export function same(one: unknown, other: unknown): boolean {
  return sorted(one) === sorted(other);
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function refused(code: string): Expected {
  return { status: 409, code };
}
