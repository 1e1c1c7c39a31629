/**
 * What somebody decides who has lost nothing: from the complete history and the records as they are now, without an
 * envelope and without a summary.
 *
 * It is the measure that the gate is held to, so it is written apart from it: it imports nothing, knows no rule by its
 * number, and is meant to be read in one go.
 */

/** Go, stop, or stop until somebody has found out what happened in the world: from the least strict to the strictest. */
export type Verdict = 'go' | 'stop' | 'blocked';

/** What the complete history tells. */
export interface Told {
  readonly tenant_id: string;
  readonly session_id: string;
  readonly principal_id: string;
  readonly authorization_mode: string;
  readonly delegated_principal_id: string;
  readonly delegated_scope: string;
  readonly policy_version: string;
  /** The call that the run is about to make. */
  readonly capability_name: string;
  readonly capability_version: string;
  readonly approval_id: string;
  readonly action_digest: string;
  readonly idempotency_key: string;
  readonly side_effect_status: string;
  readonly checkpoint_ref: string;
  readonly sandbox_snapshot_ref: string | null;
  readonly budget_remaining: number | null;
  readonly objective: string;
  readonly constraints: readonly { ref: string; text: string; forbids_capability?: string }[];
  readonly events: readonly string[];
  /** How often another run has taken the session over since. */
  readonly taken_over: number;
}

/** Who wants to go on, and as the holder of which turn, if it says so. */
export interface Asking {
  readonly tenant_id: unknown;
  readonly session_id: unknown;
  readonly principal_id: unknown;
  readonly session_epoch?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** The records now; null where there is none. */
export interface Records {
  /** In milliseconds since 1970. */
  readonly now: number;
  readonly policy: Fields | null;
  readonly capability: Fields | null;
  readonly principal: Fields | null;
  /** Of the principal that has delegated. */
  readonly delegator: Fields | null;
  readonly session: Fields | null;
  readonly approval: Fields | null;
  readonly side_effect: Fields | null;
  /** All that the history knows of, of this session or not. */
  readonly side_effects: readonly Fields[];
  readonly constraints: readonly Fields[];
  readonly events: readonly unknown[];
}

export interface Judgement {
  readonly verdict: Verdict;
  /** Why not go; empty after a go. */
  readonly because: readonly string[];
}

/** Decides. Who is asking comes first; then what may have happened in the world; then whether anything has changed. */
export function judge(told: Told, asking: Asking, records: Records): Judgement {
  const stranger = whoIsNot(told, asking);
  if (stranger.length > 0) return { verdict: 'stop', because: stranger };
  const changed = whatHasChanged(told, asking, records);
  const unknown = records.side_effects
    .filter((effect) => effect['session_id'] === told.session_id)
    .filter((effect) => effect['side_effect_status'] === 'side_effect_unknown')
    .map((effect) => `nobody knows whether ${String(effect['idempotency_key'])} has happened`);
  if (unknown.length > 0) return { verdict: 'blocked', because: [...unknown, ...changed] };
  return changed.length > 0 ? { verdict: 'stop', because: changed } : { verdict: 'go', because: [] };
}

function whoIsNot(told: Told, asking: Asking): string[] {
  return [
    asking.tenant_id !== told.tenant_id && 'another tenant is asking',
    asking.session_id !== told.session_id && 'it is asked for another session',
    asking.principal_id !== told.principal_id && 'another principal is asking',
  ].filter((reason) => reason !== false);
}

function whatHasChanged(told: Told, asking: Asking, records: Records): string[] {
  const { policy, capability, principal, delegator, session, approval, side_effect, constraints } = records;
  const budget = numberOr(session?.['budget_remaining'], null);
  const checks: [because: string, holds: boolean][] = [
    ['another run holds the session now', (asking.session_epoch ?? told.taken_over) === told.taken_over],
    ['a record is missing', Boolean(policy && capability && session && approval && side_effect)],
    ['the session is over', same(session, 'session_status', 'active')],
    ['the session acts for another principal', same(session, 'principal_id', told.principal_id)],
    ['the principal may not act any more', same(principal, 'principal_status', 'active')],
    ['the one who delegates may not act any more', same(delegator, 'principal_status', 'active')],
    ['the authority rests on something else', same(session, 'authorization_mode', told.authorization_mode)],
    ['another principal delegates', same(session, 'delegated_principal_id', told.delegated_principal_id)],
    ['something else is delegated', same(session, 'delegated_scope', told.delegated_scope)],
    ['another policy is in force', same(policy, 'policy_version', told.policy_version)],
    ['the capability has changed', same(capability, 'capability_version', told.capability_version)],
    ['the ledger knows another call', same(side_effect, 'capability_name', told.capability_name)],
    ['the ledger knows another approval', same(side_effect, 'approval_id', told.approval_id)],
    ['the ledger knows another action', same(side_effect, 'action_digest', told.action_digest)],
    ['the approval is for another action', same(approval, 'action_digest', told.action_digest)],
    ['the approval is for another capability', same(approval, 'capability_name', told.capability_name)],
    ['the approval is for another session', same(approval, 'session_id', told.session_id)],
    ['the approval does not hold', same(approval, 'approval_status', 'approved')],
    ['the approval is not of those who had to give it', !approval || isGiven(approval)],
    ['the approval has run out', !approval || Date.parse(String(approval['expires_at'])) > records.now],
    ['the session is at another call', same(session, 'idempotency_key', told.idempotency_key)],
    ['the effect has happened meanwhile', effectIsAsTold(told, side_effect)],
    ['the session stands elsewhere', same(session, 'checkpoint_ref', told.checkpoint_ref)],
    [
      'the sandbox stands elsewhere',
      !session || (session['sandbox_snapshot_ref'] ?? null) === told.sandbox_snapshot_ref,
    ],
    ['the objective is another one', same(session, 'objective', told.objective)],
    ['the budget is used up', !session || budgetIsLeft(budget, told.budget_remaining)],
    ['the log is not the one that was lived through', startsWith(records.events, told.events)],
    ['a constraint is gone or says something else', constraintsStand(told, constraints)],
    [
      'a constraint forbids the call',
      !constraints.some(
        (constraint) =>
          constraint['session_id'] === told.session_id &&
          constraint['constraint_status'] === 'active' &&
          constraint['forbids_capability'] === told.capability_name,
      ),
    ],
  ];
  return checks.filter(([, holds]) => !holds).map(([because]) => because);
}

/** Whether enough of those who may have said yes: none of them twice, to their own request, or after a no. */
function isGiven(approval: Fields): boolean {
  const { requested_by, decided_by, self_approval, eligible_approvers: may, required_approvals } = approval;
  const one = decided_by === undefined ? [] : [{ decided_by, decision: 'approved' }];
  const said = Array.isArray(approval['decisions']) ? (approval['decisions'] as Fields[]) : one;
  if (said.length === 0 && !requested_by && !may && !required_approvals) return true;
  const who = (word: string) =>
    said.filter(({ decision }) => decision === word).map(({ decided_by: by }) => by);
  const yes = [...new Set(who('approved'))].filter((each) => !who('rejected').includes(each));
  const all = decided_by === undefined ? yes : [...yes, decided_by];
  return (
    all.every((each) => each !== requested_by || self_approval === true) &&
    all.every((each) => !Array.isArray(may) || may.includes(each)) &&
    yes.length - new Set(who('rejected')).size >= numberOr(required_approvals, 1)
  );
}

/** Whether a record says what the history says; a record that is not there says nothing. */
function same(record: Fields | null, field: string, expected: string): boolean {
  return (record?.[field] ?? expected) === expected;
}

/** Somebody may have found out what had happened; nobody may have made it happen. */
function effectIsAsTold(told: Told, effect: Fields | null): boolean {
  const now = effect?.['side_effect_status'] ?? told.side_effect_status;
  return (
    now === told.side_effect_status ||
    now === 'side_effect_unknown' ||
    told.side_effect_status === 'side_effect_unknown'
  );
}

function budgetIsLeft(now: number | null, told: number | null): boolean {
  return now === null ? told === null : now > 0 && now >= (told ?? 0);
}

function startsWith(log: readonly unknown[], lived: readonly unknown[]): boolean {
  return lived.every((event, index) => log[index] === event);
}

function constraintsStand(told: Told, now: readonly Fields[]): boolean {
  return told.constraints.every((constraint) => {
    const record = now.find((candidate) => candidate['constraint_ref'] === constraint.ref);
    return (
      record?.['text'] === constraint.text &&
      (record['forbids_capability'] ?? null) === (constraint.forbids_capability ?? null)
    );
  });
}

function numberOr<T>(value: unknown, otherwise: T): number | T {
  return typeof value === 'number' ? value : otherwise;
}
