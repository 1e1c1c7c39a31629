import type { RecordedState } from '../app/stored.js';
import { sha256Digest } from '../domain/digest.js';
import type { ControlStateFacts, FrozenAction, ActionStateFacts } from '../domain/facts.js';
import type { RecordedCapability } from '../domain/to-facts.js';
import type { PrincipalStatus } from '../domain/vocabulary.js';

/** The records as they are read: those that an envelope names by their names, and absent where there are none. */
export interface RecordedStateRow {
  session_holds_records: boolean | null;
  session_record: SessionJson | null;
  principal_status: PrincipalStatus | null;
  principal_revision: string | null;
  delegated_principal_status: PrincipalStatus | null;
  policy_version: string | null;
  policy_revision: string | null;
  capabilities: Named<RecordedCapability>;
  approvals: Named<NonNullable<ActionStateFacts['approval']>>;
  side_effects: Named<NonNullable<ActionStateFacts['side_effect']>>;
  other_unknown_side_effects: ControlStateFacts['other_unknown_side_effects'] | null;
  first_sequence: string | null;
  last_sequence: string | null;
  last_lineage_sha256: string | null;
  constraint_records: ConstraintJson[] | null;
  obligation_records: NonNullable<ControlStateFacts['obligations']> | null;
}

type SessionFacts = NonNullable<ControlStateFacts['session']>;
type SessionJson = Omit<SessionFacts, 'objective_sha256'> & { objective: string | null };
type ConstraintJson = NonNullable<ControlStateFacts['constraints']>[number] & { text: string | null };
type Named<T> = Readonly<Record<string, T>> | null;

export function toRecordedState(
  tenant_id: string,
  frozen: readonly Pick<FrozenAction, 'capability_name' | 'approval_id' | 'idempotency_key'>[],
  row: RecordedStateRow,
): RecordedState {
  const { principal_status, delegated_principal_status, policy_version } = row;
  const capabilities = frozen.map(({ capability_name }) => named(row.capabilities, capability_name));
  const actions = frozen.map(({ approval_id, idempotency_key }, place) => ({
    capability_version: capabilities[place]?.capability_version ?? null,
    capability_revision: capabilities[place]?.revision ?? null,
    approval: named(row.approvals, approval_id),
    side_effect: named(row.side_effects, idempotency_key),
  }));
  const holdsSession = row.session_holds_records === true;
  const tenant = {
    principal_status,
    delegated_principal_status,
    policy_version,
    revisions: { policy: toNumber(row.policy_revision), principal: toNumber(row.principal_revision) },
  };
  return {
    holdsRecords:
      holdsSession || actions.some(({ approval, side_effect }) => approval !== null || side_effect !== null),
    tenant: { ...tenant, capabilities },
    facts: {
      source: 'records',
      tenant_id,
      session: row.session_record && toSessionFacts(row.session_record),
      ...tenant,
      actions,
      other_unknown_side_effects: row.other_unknown_side_effects ?? [],
      ...(holdsSession && heldOfSession(row)),
    },
  };
}

/** What only a session with records has: a log, constraints and obligations, of which it may have none. */
function heldOfSession(row: RecordedStateRow) {
  return {
    lineage: {
      first_sequence: toNumber(row.first_sequence),
      last_sequence: toNumber(row.last_sequence),
      lineage_sha256: row.last_lineage_sha256,
    },
    constraints: (row.constraint_records ?? []).map(({ text: _, ...constraint }) => constraint),
    obligations: row.obligation_records ?? [],
  };
}

function toSessionFacts({ objective, ...session }: SessionJson): SessionFacts {
  return { ...session, objective_sha256: objective === null ? null : sha256Digest(objective) };
}

function named<T>(records: Named<T>, name: string | null): T | null {
  return records && name !== null && Object.hasOwn(records, name) ? (records[name] ?? null) : null;
}

/** Postgres gives whole numbers of eight bytes as text. */
export function toNumber(count: string | null): number | null {
  return count === null ? null : Number(count);
}
