import { Type } from '@sinclair/typebox';

import { readAs } from '../reader/reading.js';
import { identifierList, literalString } from '../schemas.js';
import { obligationStatuses } from '../vocabulary.js';
import type { RecordKind } from './record-kind.js';

export const obligation = {
  name: 'obligation',
  path: 'sessions/:session_id/obligations/:obligation_id',
  meaning: 'Something that a session owes, until it is discharged on evidence.',
  table: 'obligations',
  scope: { name: 'obligations:write', meaning: 'Write obligation records.' },
  keys: ['session_id', 'obligation_id'],
  sessionField: 'session_id',
  fields: {
    // What is done is done on evidence.
    obligation_status: readAs(
      literalString(
        'obligation status',
        'Whether it is still owed; `discharged` is final and needs evidence.',
        obligationStatuses,
      ),
      { needs: { discharged: ['evidence_refs'] } },
    ),
    evidence_refs: Type.Optional(
      identifierList('What shows that it was discharged.', 'Reference of a piece of evidence.', {
        minItems: 1,
        examples: [['trace:trace-support-042']],
      }),
    ),
  },
  frozen: [],
  status: { field: 'obligation_status', next: { open: ['discharged'], discharged: [] } },
  sensitive: [],
  example: {
    keys: { session_id: 'session-support-001', obligation_id: 'reconcile_ticket_write' },
    without: ['evidence_refs'],
  },
} as const satisfies RecordKind;
