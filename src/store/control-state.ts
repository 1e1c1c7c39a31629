import { sha256Digest } from '../domain/digest.js';
import type { ContinuityEnvelope } from '../domain/envelope.js';
import type { ControlStateFacts } from '../domain/facts.js';
import type { PrincipalStatus } from '../domain/vocabulary.js';
import type { Transaction } from './database.js';

/** What the gate's own records say of everything that an envelope names, at one moment. */
export interface RecordedState {
  /** The database's clock, read with the state. */
  readonly now: string;
  /** Whether the gate holds a record of the session, or of the approval or the side effect that the envelope names. */
  readonly holdsRecords: boolean;
  /** The state as facts. */
  readonly facts: ControlStateFacts;
  /** What is common to the tenant's sessions; null where there is no record. */
  readonly tenant: {
    readonly policy_version: string | null;
    readonly capability_version: string | null;
    readonly principal_status: PrincipalStatus | null;
    readonly revisions: NonNullable<ControlStateFacts['revisions']>;
  };
}

/** An envelope by its id in the store, or one that is not stored yet. */
export type Subject =
  | { readonly tenant_id: string; readonly envelope_id: string }
  | { readonly tenant_id: string; readonly envelope: ContinuityEnvelope };

type SessionFacts = NonNullable<ControlStateFacts['session']>;
type SessionJson = Omit<SessionFacts, 'objective_sha256'> & { objective: string | null };

interface StateRow {
  now: string;
  tenant_id: string;
  has_records: boolean | null;
  session: SessionJson | null;
  principal_status: PrincipalStatus | null;
  principal_revision: number | null;
  policy_version: string | null;
  policy_revision: number | null;
  capability_version: string | null;
  capability_revision: number | null;
  approval: ControlStateFacts['approval'];
  side_effect: ControlStateFacts['side_effect'];
  other_unknown_side_effects: ControlStateFacts['other_unknown_side_effects'];
  lineage: NonNullable<ControlStateFacts['lineage']>;
  constraints: NonNullable<ControlStateFacts['constraints']>;
  obligations: NonNullable<ControlStateFacts['obligations']>;
}

/**
 * Reads everything that the rules need, in one statement and so from one snapshot; undefined if there is no such
 * envelope. Every look-up is by key, so that the cost grows neither with the session's log nor with the tenant.
 */
export async function readRecordedState(
  transaction: Transaction,
  subject: Subject,
): Promise<RecordedState | undefined> {
  const [row] = await transaction.query<StateRow>({
    name: 'read_recorded_state',
    text: `
      -- Materialized: the envelope would else be looked up and parsed once more for each of its fields.
      with given as materialized (
        select coalesce(
          $2::json,
          (select envelope from envelopes where tenant_id = $1 and envelope_id = $3)
        ) as envelope
      ),
      subject as (
        select
          sealed.session_id,
          sealed.principal_id,
          sealed.capability_name,
          sealed.approval_id,
          sealed.idempotency_key,
          sealed.source_event_range ->> 'first' as first_event,
          sealed.source_event_range ->> 'last' as last_event,
          array(select json_array_elements_text(sealed.exact_constraint_refs)) as constraint_refs,
          array(select json_array_elements_text(sealed.pending_obligations)) as obligations
        from given
        cross join json_to_record(given.envelope) as sealed (
          session_id text,
          principal_id text,
          capability_name text,
          approval_id text,
          idempotency_key text,
          source_event_range json,
          exact_constraint_refs json,
          pending_obligations json
        )
        where given.envelope is not null
      ),
      -- What the session's newest envelope carries may have been withdrawn or discharged since.
      newest as (
        select
          array(select json_array_elements_text(envelopes.envelope -> 'exact_constraint_refs')) as constraint_refs,
          array(select json_array_elements_text(envelopes.envelope -> 'pending_obligations')) as obligations
        from subject
        join session_heads as head on head.tenant_id = $1 and head.session_id = subject.session_id
        join envelopes on envelopes.tenant_id = $1 and envelopes.envelope_id = head.newest_envelope_id
      )
      select
        rfc3339(clock_timestamp()) as now,
        $1 as tenant_id,
        (
          select has_records from session_heads as head
          where head.tenant_id = $1 and head.session_id = subject.session_id
        ) as has_records,
        (
          select json_build_object(
            'session_status', session_status,
            'principal_id', principal_id,
            'authorization_mode', authorization_mode,
            'delegated_principal_id', delegated_principal_id,
            'delegated_scope', delegated_scope,
            'idempotency_key', idempotency_key,
            'checkpoint_ref', checkpoint_ref,
            'sandbox_snapshot_ref', sandbox_snapshot_ref,
            'budget_remaining', budget_remaining,
            'objective', objective
          )
          from sessions
          where sessions.tenant_id = $1 and sessions.session_id = subject.session_id
        ) as session,
        principal.principal_status,
        principal.revision as principal_revision,
        policy.policy_version,
        policy.revision as policy_revision,
        capability.capability_version,
        capability.revision as capability_revision,
        (
          select json_build_object(
            'approval_status', approval_status,
            'session_id', session_id,
            'capability_name', capability_name,
            'action_digest', action_digest,
            'expires_at', rfc3339(expires_at)
          )
          from approvals
          where approvals.tenant_id = $1 and approvals.approval_id = subject.approval_id
        ) as approval,
        (
          select json_build_object(
            'session_id', session_id,
            'capability_name', capability_name,
            'approval_id', approval_id,
            'action_digest', action_digest,
            'side_effect_status', side_effect_status,
            'reconciled', exists (
              select from reconciliations
              where reconciliations.tenant_id = $1
                and reconciliations.idempotency_key = subject.idempotency_key
            )
          )
          from side_effects
          where side_effects.tenant_id = $1 and side_effects.idempotency_key = subject.idempotency_key
        ) as side_effect,
        (
          select coalesce(
            json_agg(
              json_build_object('idempotency_key', idempotency_key, 'capability_name', capability_name)
              order by updated_at, idempotency_key
            ),
            '[]'
          )
          from side_effects
          where side_effects.tenant_id = $1
            and side_effects.session_id = subject.session_id
            and side_effects.side_effect_status = 'side_effect_unknown'
            and side_effects.idempotency_key <> subject.idempotency_key
        ) as other_unknown_side_effects,
        json_build_object(
          'first_sequence', (
            select sequence from session_events
            where tenant_id = $1 and session_id = subject.session_id and event_id = subject.first_event
          ),
          'last_sequence', last_event.sequence,
          'lineage_sha256', last_event.lineage_sha256
        ) as lineage,
        (
          select coalesce(
            json_agg(
              json_build_object(
                'ref', constraint_ref,
                'sha256', sha256,
                'forbids_capability', forbids_capability,
                'constraint_status', constraint_status
              )
              order by constraint_ref collate "C"
            ),
            '[]'
          )
          from constraints
          where constraints.tenant_id = $1
            and constraints.session_id = subject.session_id
            and (constraint_status = 'active' or constraint_ref = any(subject.constraint_refs)
              or constraint_ref = any(newest.constraint_refs))
        ) as constraints,
        (
          select coalesce(
            json_agg(
              json_build_object('obligation_id', obligation_id, 'obligation_status', obligation_status)
              order by obligation_id collate "C"
            ),
            '[]'
          )
          from obligations
          where obligations.tenant_id = $1
            and obligations.session_id = subject.session_id
            and (obligation_status = 'open' or obligation_id = any(subject.obligations)
              or obligation_id = any(newest.obligations))
        ) as obligations
      from subject
      left join newest on true
      left join principals as principal
        on principal.tenant_id = $1 and principal.principal_id = subject.principal_id
      left join policies as policy on policy.tenant_id = $1
      left join capabilities as capability
        on capability.tenant_id = $1 and capability.capability_name = subject.capability_name
      left join session_events as last_event
        on last_event.tenant_id = $1
        and last_event.session_id = subject.session_id
        and last_event.event_id = subject.last_event`,
    values: [
      subject.tenant_id,
      'envelope' in subject ? subject.envelope : null,
      'envelope_id' in subject ? subject.envelope_id : null,
    ],
  });
  return row && toRecordedState(row);
}

function toRecordedState(row: StateRow): RecordedState {
  const { principal_status, policy_version, capability_version } = row;
  const hasSession = row.has_records === true;
  const revisions = {
    policy: toNumber(row.policy_revision),
    capability: toNumber(row.capability_revision),
    principal: toNumber(row.principal_revision),
  };
  return {
    now: row.now,
    holdsRecords: hasSession || row.approval !== null || row.side_effect !== null,
    tenant: { principal_status, policy_version, capability_version, revisions },
    facts: {
      source: 'records',
      tenant_id: row.tenant_id,
      session: row.session && toSessionFacts(row.session),
      principal_status,
      policy_version,
      capability_version,
      revisions,
      approval: row.approval,
      side_effect: row.side_effect,
      other_unknown_side_effects: row.other_unknown_side_effects,
      ...(hasSession && { lineage: row.lineage, constraints: row.constraints, obligations: row.obligations }),
    },
  };
}

function toSessionFacts({ objective, ...session }: SessionJson): SessionFacts {
  return { ...session, objective_sha256: objective === null ? null : sha256Digest(objective) };
}

function toNumber(revision: number | string | null): number | null {
  return revision === null ? null : Number(revision);
}
