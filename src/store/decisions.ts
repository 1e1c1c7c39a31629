import type { DecisionKey, StoredDecision } from '../app/stored.js';
import type { Decision } from '../domain/decide.js';
import type { DecisionReason } from '../domain/reasons.js';
import { fromStoredFacts, type StoredFacts } from '../domain/stored-facts.js';
import type { DecisionStatus, TraceEventType } from '../domain/vocabulary.js';
import type { SqlTransaction } from './sql.js';

export interface StoredDecisionRow {
  decision_id: string;
  tenant_id: string;
  session_id: string;
  envelope_id: string;
  trace_id: string;
  status: DecisionStatus;
  reason: DecisionReason;
  findings: Decision['findings'];
  facts: StoredFacts;
  rules_version: string | null;
  session_epoch: string | null;
  held_by: string | null;
  trace_event_id: string;
  trace_event_type: TraceEventType;
}

/** Looks a decision up under its tenant; undefined if there is none. */
export async function findDecision(
  transaction: SqlTransaction,
  { tenant_id, decision_id }: DecisionKey,
): Promise<StoredDecision | undefined> {
  const [row] = await transaction.query<StoredDecisionRow>({
    name: 'find_decision',
    text: `
      select
        decision_id, tenant_id, session_id, envelope_id, trace_id, status, reason, findings, facts, rules_version,
        session_epoch, held_by, trace_event_id, trace_event_type
      from decisions
      where tenant_id = $1 and decision_id = $2`,
    values: [tenant_id, decision_id],
  });
  return row && toStoredDecision(row);
}

export function toStoredDecision(row: StoredDecisionRow): StoredDecision {
  return {
    decision_id: row.decision_id,
    tenant_id: row.tenant_id,
    session_id: row.session_id,
    envelope_id: row.envelope_id,
    trace_id: row.trace_id,
    decision: {
      status: row.status,
      reason: row.reason,
      findings: row.findings,
      authorized: false,
      requires_reauthorization: true,
    },
    facts: fromStoredFacts(row.facts),
    rules_version: row.rules_version,
    granted:
      row.session_epoch === null || row.held_by === null
        ? null
        : { session_epoch: Number(row.session_epoch), held_by: row.held_by },
    trace_event: { event_id: row.trace_event_id, event_type: row.trace_event_type },
  };
}
