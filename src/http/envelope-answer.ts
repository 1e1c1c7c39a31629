import { Type, type Static } from '@sinclair/typebox';

import { TraceEventReference } from './schemas/decision.js';
import type { StoredEnvelope } from '../app/stored.js';

/** An accepted envelope. */
export const SealedEnvelope = Type.Object(
  {
    continuity_envelope: Type.Unsafe<unknown>(Type.Ref('ContinuityEnvelope#')),
    envelope_sha256: Type.String({
      description: '`sha256:` and the hex SHA-256 of the RFC 8785 canonical JSON of the stored envelope.',
    }),
    created_at: Type.String({ format: 'date-time', description: "When, by the database's clock." }),
    session_epoch: Type.Integer({ minimum: 0, description: "The session's epoch when it was sealed." }),
    trace_event: TraceEventReference,
  },
  { $id: 'SealedEnvelope', title: 'SealedEnvelope', additionalProperties: false },
);

/** An accepted envelope as it was first answered: the same words each time. */
export function envelopeBody(stored: StoredEnvelope): Static<typeof SealedEnvelope> {
  return {
    continuity_envelope: stored.envelope,
    envelope_sha256: stored.envelope_sha256,
    created_at: stored.created_at,
    session_epoch: stored.session_epoch,
    trace_event: stored.trace_event,
  };
}
