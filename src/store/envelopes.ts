import type { EnvelopeKey, FoundEnvelope } from '../app/stored.js';
import type { TraceEventType } from '../domain/vocabulary.js';
import type { SqlTransaction } from './sql.js';

interface FoundEnvelopeRow {
  tenant_id: string;
  envelope_id: string;
  envelope: unknown;
  envelope_sha256: string;
  lineage_sha256: string | null;
  last_sequence: string | null;
  constraint_digests: Record<string, string>;
  session_epoch: string;
  created_at: string;
  trace_event_id: string;
  trace_event_type: TraceEventType;
  newest_envelope_id: string;
}

/** Looks an envelope up under its tenant; undefined if there is none. */
export async function findEnvelope(
  transaction: SqlTransaction,
  { tenant_id, envelope_id }: EnvelopeKey,
): Promise<FoundEnvelope | undefined> {
  const [row] = await transaction.query<FoundEnvelopeRow>({
    name: 'find_envelope',
    text: `
      select ${columns}, head.newest_envelope_id
      from envelopes
      join session_heads as head using (tenant_id, session_id)
      where tenant_id = $1 and envelope_id = $2`,
    values: [tenant_id, envelope_id],
  });
  return row && toFoundEnvelope(row);
}

const columns = `
  envelopes.tenant_id,
  envelopes.envelope_id,
  envelope,
  envelope_sha256,
  envelopes.lineage_sha256,
  last_sequence,
  constraint_digests,
  envelopes.session_epoch,
  rfc3339(created_at) as created_at,
  trace_event_id,
  trace_event_type`;

function toFoundEnvelope(row: FoundEnvelopeRow): FoundEnvelope {
  return {
    tenant_id: row.tenant_id,
    envelope_id: row.envelope_id,
    envelope: row.envelope,
    envelope_sha256: row.envelope_sha256,
    lineage_sha256: row.lineage_sha256,
    constraint_digests: row.constraint_digests,
    last_sequence: row.last_sequence === null ? null : Number(row.last_sequence),
    session_epoch: Number(row.session_epoch),
    created_at: row.created_at,
    trace_event: { event_id: row.trace_event_id, event_type: row.trace_event_type },
    newest_envelope_id: row.newest_envelope_id,
  };
}
