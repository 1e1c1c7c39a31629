import { Type } from '@sinclair/typebox';

import { identifier } from '../schemas.js';
import type { RecordKind } from './record-kind.js';

export const capability = {
  name: 'capability',
  path: 'capabilities/:capability_name',
  meaning: 'The version of a capability in force.',
  table: 'capabilities',
  scope: { name: 'capabilities:write', meaning: 'Write capability records.' },
  keys: ['capability_name'],
  fields: {
    capability_version: identifier('The version in force.', { examples: ['create-ticket-v3'] }),
    approval_required: Type.Optional(
      Type.Boolean({
        description: 'Whether a call of it needs an approval; left out: it does.',
        examples: [true],
      }),
    ),
  },
  frozen: [],
  sensitive: [],
  example: { keys: { capability_name: 'create_ticket' } },
} as const satisfies RecordKind;
