import { Client } from 'pg';

import type { TraceEvent } from '../../src/domain/trace-event.js';

/** What the store holds of one tenant with one session, after everything has happened. */
export interface StoredTenant {
  /** The session's chain and the tenant's own, each in its order. */
  readonly chain: readonly TraceEvent[];
  readonly tenantChain: readonly TraceEvent[];
  readonly tips: { readonly session: ChainTip; readonly tenant: ChainTip };
  readonly head: { readonly session_epoch: number; readonly held_by: string | null };
  /** The revision of every record, by its name in the trace. */
  readonly revisions: ReadonlyMap<string, number>;
  readonly decisions: readonly { readonly decision_id: string; readonly trace_event_id: string }[];
  readonly envelopes: readonly string[];
  /** The revision of the side effect that each reconciliation has made. */
  readonly reconciliations: readonly number[];
  /** The decisions that are kept under an `Idempotency-Key`, by the key. */
  readonly kept: ReadonlyMap<string, string>;
}

interface ChainTip {
  readonly sequence: number;
  readonly sha256: string;
}

/** Reads what the store holds of every tenant, as its owner. */
export async function readStore(connectionString: string): Promise<Map<string, StoredTenant>> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<TenantRow>(tenants);
    return new Map(rows.map((row) => [row.tenant_id, toStoredTenant(row)]));
  } finally {
    await client.end();
  }
}

interface TenantRow {
  tenant_id: string;
  events: TraceEvent[] | null;
  session_tip: ChainTip;
  tenant_tip: ChainTip;
  head: StoredTenant['head'];
  revisions: Record<string, number> | null;
  decisions: StoredTenant['decisions'] | null;
  envelopes: string[] | null;
  reconciliations: number[] | null;
  kept: Record<string, string> | null;
}

function toStoredTenant({ events, ...row }: TenantRow): StoredTenant {
  return {
    chain: (events ?? []).filter(({ session_id }) => session_id !== null),
    tenantChain: (events ?? []).filter(({ session_id }) => session_id === null),
    tips: { session: row.session_tip, tenant: row.tenant_tip },
    head: row.head,
    revisions: new Map(Object.entries(row.revisions ?? {})),
    decisions: row.decisions ?? [],
    envelopes: row.envelopes ?? [],
    reconciliations: row.reconciliations ?? [],
    kept: new Map(Object.entries(row.kept ?? {})),
  };
}

const tenants = `
  select
    tenant_id,
    json_build_object('sequence', session.trace_sequence, 'sha256', session.trace_sha256) as session_tip,
    json_build_object('sequence', tenant.trace_sequence, 'sha256', tenant.trace_sha256) as tenant_tip,
    json_build_object('session_epoch', session.session_epoch, 'held_by', session.held_by) as head,
    (
      select json_agg(
        json_build_object(
          'event_id', event_id, 'event_type', event_type, 'schema_version', schema_version,
          'occurred_at', rfc3339(occurred_at), 'tenant_id', tenant_id, 'session_id', session_id,
          'principal_id', principal_id, 'actor', actor, 'trace_id', trace_id, 'span_id', span_id,
          'envelope_id', envelope_id, 'decision_id', decision_id, 'status', status, 'reason', reason,
          'payload', payload, 'sequence', sequence, 'previous_sha256', previous_sha256,
          'event_sha256', event_sha256
        )
        order by sequence
      )
      from trace_events where trace_events.tenant_id = session.tenant_id
    ) as events,
    (
      select json_object_agg(kind, revision) from (
        select 'policy' as kind, revision from policies where policies.tenant_id = session.tenant_id
        union all
        select 'capability', revision from capabilities where capabilities.tenant_id = session.tenant_id
        union all
        select 'principal', revision from principals where principals.tenant_id = session.tenant_id
        union all
        select 'session', revision from sessions where sessions.tenant_id = session.tenant_id
        union all
        select 'obligation', revision from obligations where obligations.tenant_id = session.tenant_id
        union all
        select 'constraint', revision from constraints where constraints.tenant_id = session.tenant_id
        union all
        select 'approval', revision from approvals where approvals.tenant_id = session.tenant_id
        union all
        select 'side_effect', revision from side_effects where side_effects.tenant_id = session.tenant_id
        union all
        select 'session_events', max(sequence) from session_events
        where session_events.tenant_id = session.tenant_id having max(sequence) is not null
      ) as records
    ) as revisions,
    (
      select json_agg(json_build_object('decision_id', decision_id, 'trace_event_id', trace_event_id))
      from decisions where decisions.tenant_id = session.tenant_id
    ) as decisions,
    (
      select json_agg(envelope_id) from envelopes where envelopes.tenant_id = session.tenant_id
    ) as envelopes,
    (
      select json_agg(revision) from reconciliations where reconciliations.tenant_id = session.tenant_id
    ) as reconciliations,
    (
      select json_object_agg(idempotency_key, decision_id)
      from idempotency_keys where idempotency_keys.tenant_id = session.tenant_id
    ) as kept
  from session_heads as session
  left join tenant_heads as tenant using (tenant_id)`;
