import { identifier, literalString } from '../schemas.js';
import { approvalStatuses } from '../vocabulary.js';
import { actionDigest, boundFields, capabilityName, sessionId } from './bound-fields.js';
import type { RecordKind } from './record-kind.js';

export const approval = {
  name: 'approval',
  path: 'approvals/:approval_id',
  meaning: 'An approval of one action of one session.',
  table: 'approvals',
  scope: { name: 'approvals:write', meaning: 'Write approval records.' },
  keys: ['approval_id'],
  sessionField: 'session_id',
  fields: {
    session_id: sessionId,
    capability_name: capabilityName,
    action_digest: actionDigest,
    approval_status: literalString(
      'approval status',
      'What became of it; `rejected`, `revoked` and `expired` are final.',
      approvalStatuses,
    ),
    expires_at: identifier('When it runs out: RFC 3339 with an offset; only ever earlier.', {
      format: 'date-time',
      examples: ['2099-07-21T18:00:00Z'],
    }),
  },
  frozen: ['session_id', 'capability_name', 'action_digest'],
  status: {
    field: 'approval_status',
    next: {
      approved: ['pending', 'rejected', 'revoked', 'expired'],
      pending: ['approved', 'rejected', 'revoked', 'expired'],
      rejected: [],
      revoked: [],
      expired: [],
    },
  },
  onlyEarlier: 'expires_at',
  sensitive: [],
  links: [{ to: 'side_effect', by: 'approval_id', agree: boundFields, refusal: 'approval_mismatch' }],
  example: { keys: { approval_id: 'apr-017' } },
} as const satisfies RecordKind;
