import type { DecisionStatus } from '../../domain/vocabulary.js';
import type { ProblemCode } from '../problems.js';

/** What each decision means for its caller. */
export const statusMeanings: Readonly<Record<DecisionStatus, string>> = {
  reauthorization_required:
    'Continuity holds. Rebuild the context from the context view, then ask for authorization before the next call.',
  blocked_on_reconciliation:
    'A side effect may already have happened. Find out, settle it under its idempotency key, and ask again.',
  continuity_validation_failed:
    'Something that the run relied on no longer holds. Do not resume from this envelope.',
};

/** What each error code says, beyond those that are also reasons. */
export const problemMeanings: Readonly<Record<ProblemCode, string>> = {
  schema_invalid: 'The request violates its schema; `errors` points at the first fault.',
  unauthenticated: 'There is no valid token.',
  forbidden: 'The token does not allow this; or the gate is open, and the host name is not a loopback one.',
  attested_state_refused: 'The caller may not attest or release state here.',
  envelope_not_found: 'The tenant has no such envelope.',
  decision_not_found: 'The tenant has no such decision.',
  record_not_found: 'The tenant has no such record.',
  route_not_found: 'No route has this method and path.',
  envelope_conflict: 'The envelope id was sealed before with other content.',
  record_field_frozen: 'The write would change a field that never changes; `current` is the record.',
  status_transition_refused: 'The new status may not follow on the present one; `current` is the record.',
  expiry_extended: 'The write would make an approval expire later; `current` is the record.',
  approval_mismatch: 'The approval and its side effect name different sessions, capabilities or actions.',
  approval_already_bound: 'The approval binds another side effect: one approval, one effect.',
  event_conflict: 'An event of the batch has the id of another event of the log. Nothing was appended.',
  effect_not_unknown: 'Only an unknown effect can be settled; `current` is the record.',
  precondition_failed: '`If-Match` names another revision; `current` is the record, if there is one.',
  stale_epoch: 'The session was resumed since; `held_by` and `held_since` say by whom and when.',
  body_too_large: 'The body is larger than 1 MiB.',
  unsupported_media_type: 'The body is not uncompressed JSON in UTF-8.',
  idempotency_key_reused: 'The `Idempotency-Key` was used for another request.',
  internal_error: 'A bug. Nothing was decided; treat it as a stop.',
  overloaded: 'Too many requests are waiting. Nothing was decided; try again.',
  identity_provider_unavailable:
    'The keys to check the token with cannot be fetched. Nothing was decided; try again.',
  governed_store_unavailable: 'The store does not answer in time. Nothing was decided; try again.',
};
