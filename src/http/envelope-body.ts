import type { Static } from '@sinclair/typebox';

import type { SealedEnvelope } from './schemas/envelope.js';
import type { StoredEnvelope } from '../app/stored.js';

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
