import type { Changes } from '../app/store.js';
import type { StoredEnvelope } from '../app/stored.js';
import { envelopeFacts } from '../domain/envelope/versions.js';
import { toStoredFacts } from '../domain/stored-facts.js';
import type { Statement } from './sql.js';

/** Writes the changes of sessions whose heads are locked. */
export function writeChanges(all: readonly Changes[]): Statement {
  const columns = columnsOf(all);
  return {
    name: 'write_session_changes',
    text: `select write_session_changes(${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    values: columns,
  };
}

/** One list for each parameter of the function, in its order. */
function columnsOf(all: readonly Changes[]): unknown[][] {
  const column = (read: (changes: Changes) => unknown) => all.map((changes) => read(changes) ?? null);
  return [
    column(({ event }) => event.tenant_id),
    column(({ event }) => event.session_id),
    column(({ event }) => event.occurred_at),
    column(({ event }) => event.envelope_id),
    column(({ event }) => event.trace_id),
    column(({ event }) => event.decision_id),
    column(({ event }) => event.status),
    column(({ event }) => event.reason),
    column(({ event }) => event.event_id),
    column(({ event }) => event.event_type),
    column(({ event }) => event.schema_version),
    column(({ event }) => event.principal_id),
    column(({ event }) => event.actor),
    column(({ event }) => event.span_id),
    column(({ event }) => JSON.stringify(event.payload)),
    column(({ event }) => event.sequence),
    column(({ event }) => event.previous_sha256),
    column(({ event }) => event.event_sha256),
    column(({ head }) => head.session_epoch),
    column(({ head }) => head.held_by),
    column(({ head }) => head.held_since),
    column(({ head }) => head.newest_envelope_id),
    column(({ decision }) => decision && JSON.stringify(decision.decision.findings)),
    column(({ decision }) => decision && JSON.stringify(toStoredFacts(decision.facts))),
    column(({ decision }) => decision?.rules_version),
    column(({ decision }) => decision && decision.granted !== null),
    column(({ kept_key }) => kept_key),
    column(({ envelope }) => envelope && JSON.stringify(envelope.envelope)),
    column(({ envelope }) => envelope?.envelope_sha256),
    column(({ envelope }) => envelope?.lineage_sha256),
    column(({ envelope }) => envelope?.last_sequence),
    column(({ envelope }) => envelope && JSON.stringify(envelope.constraint_digests)),
    column(({ envelope }) => envelope && JSON.stringify(bindingsOf(envelope))),
  ];
}

/** What each approval of an envelope is sealed under. */
function bindingsOf(stored: StoredEnvelope) {
  const { policy_version, actions } = envelopeFacts(stored);
  return actions
    .filter(({ approval_id }) => approval_id !== null)
    .map(({ approval_id, capability_version, action_digest, idempotency_key, approval_expires_at }) => ({
      approval_id,
      policy_version,
      capability_version,
      action_digest,
      idempotency_key,
      approval_expires_at,
    }));
}
