import { Type } from '@sinclair/typebox';

import { identifier, identifierList, listMaxItems, literalString } from '../schemas.js';
import { approvalDecisions, approvalStatuses } from '../vocabulary.js';
import { actionDigest, boundFields, capabilityName, sessionId } from './bound-fields.js';
import type { RecordKind } from './record-kind.js';

const approverDecision = Type.Object(
  {
    decided_by: identifier('Who decided.'),
    decision: literalString('approval decision', 'What they decided.', approvalDecisions),
  },
  { additionalProperties: false },
);

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
    requested_by: Type.Optional(identifier('Who asked for it.', { examples: ['user-42'] })),
    decided_by: Type.Optional(identifier('Who decided it.', { examples: ['approver-1'] })),
    self_approval: Type.Optional(
      Type.Boolean({ description: 'Whether who asked for it may decide it too.', examples: [false] }),
    ),
    eligible_approvers: Type.Optional(
      identifierList('Who may decide it; left out: anyone.', 'An approver.', {
        minItems: 1,
        examples: [['approver-1', 'approver-2']],
      }),
    ),
    required_approvals: Type.Optional(
      Type.Integer({ description: 'How many have to approve.', minimum: 1, maximum: 16, examples: [2] }),
    ),
    decisions: Type.Optional(
      Type.Array(approverDecision, {
        description: 'What each approver decided.',
        maxItems: listMaxItems,
        examples: [
          [
            { decided_by: 'approver-1', decision: 'approved' },
            { decided_by: 'approver-2', decision: 'approved' },
          ],
        ],
      }),
    ),
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
