import { Type } from '@sinclair/typebox';

import { canonicalDigest } from '../digest.js';
import { identifier, literalString } from '../schemas.js';
import { constraintStatuses } from '../vocabulary.js';
import { sessionId } from './bound-fields.js';
import { textIn, type RecordKind } from './record-kind.js';

/** Longest constraint text, in code points. */
export const constraintTextMaxLength = 16_384;

export const constraint = {
  name: 'constraint',
  path: 'constraints/:constraint_ref',
  meaning:
    'The exact text of a constraint on a session. The text is told only in a context view and to `records:read`.',
  table: 'constraints',
  scope: { name: 'constraints:write', meaning: 'Write constraint records.' },
  keys: ['constraint_ref'],
  sessionField: 'session_id',
  fields: {
    session_id: sessionId,
    text: Type.String({
      description: 'The exact text. May hold tabs and line breaks.',
      minLength: 1,
      maxLength: constraintTextMaxLength,
      'x-multiline': true,
      examples: ['Never close a ticket.'],
    }),
    forbids_capability: Type.Optional(
      identifier('The capability that the constraint forbids.', { examples: ['close_ticket'] }),
    ),
    constraint_status: literalString(
      'constraint status',
      'Whether the constraint binds.',
      constraintStatuses,
    ),
  },
  frozen: ['session_id'],
  status: { field: 'constraint_status', next: { active: ['withdrawn'], withdrawn: ['active'] } },
  sensitive: ['text'],
  derived: {
    sha256: (fields) =>
      constraintDigest(
        textIn(fields, 'text'),
        fields['forbids_capability'] == null ? null : textIn(fields, 'forbids_capability'),
      ),
  },
  example: { keys: { constraint_ref: 'event:user-constraint-017' } },
} as const satisfies RecordKind;

/** Covers a constraint's text and what it forbids, so that neither can change unseen after sealing. */
export function constraintDigest(text: string, forbids_capability: string | null): string {
  return canonicalDigest({ text, forbids_capability });
}
