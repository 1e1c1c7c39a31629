import type { DecisionReason, DecisionStatus } from '../../domain/vocabulary.js';
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

/** What each reason says. The order of the rules is the vocabulary's. */
export const reasonMeanings: Readonly<Record<DecisionReason, string>> = {
  continuity_validated: 'No rule found anything. The next call still needs authorization.',
  schema_version_unsupported: 'The stored envelope has a schema that this gate does not validate.',
  envelope_integrity_mismatch: 'The stored envelope no longer hashes to the digest recorded at sealing.',
  envelope_superseded: 'The session has a newer envelope.',
  summary_digest_mismatch: 'The summary is not the one that was bound to the envelope.',
  event_lineage_mismatch:
    "The event range is not the sealed one, or not in the session's log as it was sealed.",
  tenant_mismatch: 'The session belongs to another tenant now.',
  principal_mismatch: 'The run acts for another principal than the sealed one.',
  session_mismatch: 'The envelope was sealed for another session.',
  unknown_side_effect: 'An effect of the session was started and its outcome is not known.',
  stale_epoch: 'The session was resumed by someone else since.',
  control_state_missing: 'A record that the comparison needs is absent; `missing` names its path.',
  session_not_active: 'The session was cancelled or has ended.',
  principal_not_active: 'The principal is suspended or removed.',
  authorization_mode_changed: 'What the authority of the session rests on has changed.',
  delegated_principal_changed: 'Another principal is delegated to now.',
  delegated_scope_changed: 'Something else is delegated now.',
  policy_version_changed: 'Another policy version is in force.',
  capability_changed: "The ledger has another capability under the envelope's idempotency key.",
  capability_version_changed: 'Another version of the capability is in force.',
  approval_binding_changed:
    'The approval is another one, or bound to another session, capability or version.',
  action_digest_changed: 'The approval or the ledger is about another action.',
  idempotency_key_changed: 'The session is at another idempotency key.',
  side_effect_status_changed: 'The ledger and the envelope disagree about the effect.',
  checkpoint_changed: 'The session stands at another checkpoint.',
  sandbox_snapshot_changed: 'The sandbox stands at another snapshot.',
  objective_changed: 'The session has another objective.',
  constraint_missing: 'A constraint is not in governed storage, or was left out of the envelope.',
  constraint_changed: 'The text of a constraint, or what it forbids, is not what was frozen at sealing.',
  constraint_violated: 'An active constraint forbids the frozen capability.',
  obligation_dropped: 'An obligation that is still open was left out of the envelope.',
  obligation_unrecognized: 'An obligation was sealed that was discharged already.',
  budget_exhausted: 'Nothing is left of the budget, or less than the envelope claims.',
  approval_revoked: 'The approval was revoked.',
  approval_not_active: 'The approval is pending, rejected or expired by its status.',
  approval_expired: 'The approval ran out by the clock of the database.',
  envelope_not_found: 'The tenant has no such envelope.',
  attested_state_refused: 'The caller may not attest the current state here.',
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
