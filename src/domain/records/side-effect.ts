import { identifier, literalString } from '../schemas.js';
import { sideEffectStatuses } from '../vocabulary.js';
import { actionDigest, boundFields, capabilityName, sessionId } from './bound-fields.js';
import type { RecordKind } from './record-kind.js';

export const sideEffect = {
  name: 'side_effect',
  path: 'side-effects/:idempotency_key',
  meaning:
    'The ledger entry of one side effect. Record `side_effect_unknown` before calling out: what was started and has no outcome is unknown.',
  table: 'side_effects',
  scope: { name: 'effects:write', meaning: 'Write the side-effect ledger.' },
  keys: ['idempotency_key'],
  sessionField: 'session_id',
  sessionEpoch: true,
  fields: {
    session_id: sessionId,
    capability_name: capabilityName,
    approval_id: identifier('Approval that the action rests on; never changes.', { examples: ['apr-017'] }),
    action_digest: actionDigest,
    side_effect_status: literalString(
      'side-effect status',
      'What is known of the effect. Unknown is left by a reconciliation only; committed is final.',
      sideEffectStatuses,
    ),
  },
  frozen: ['session_id', 'capability_name', 'approval_id', 'action_digest'],
  status: {
    field: 'side_effect_status',
    next: {
      not_started: ['side_effect_committed', 'side_effect_unknown'],
      side_effect_committed: [],
      side_effect_unknown: [],
    },
  },
  sensitive: [],
  // One approval binds one side effect, and both are about the same action of the same session.
  links: [
    { to: 'side_effect', by: 'approval_id', unique: true, refusal: 'approval_already_bound' },
    { to: 'approval', by: 'approval_id', agree: boundFields, refusal: 'approval_mismatch' },
  ],
  example: { keys: { idempotency_key: 'ticket-intent-017' } },
} as const satisfies RecordKind;
