import { literalString } from '../schemas.js';
import { principalStatuses } from '../vocabulary.js';
import type { RecordKind } from './record-kind.js';

export const principal = {
  name: 'principal',
  path: 'principals/:principal_id',
  meaning: 'Whether a principal may act at all. Optional: one without a record may.',
  table: 'principals',
  scope: { name: 'principals:write', meaning: 'Write principal records.' },
  keys: ['principal_id'],
  principalKey: 'principal_id',
  fields: {
    principal_status: literalString('principal status', 'Whether it may act at all.', principalStatuses),
  },
  frozen: [],
  status: {
    field: 'principal_status',
    next: {
      active: ['suspended', 'removed'],
      suspended: ['active', 'removed'],
      removed: ['active', 'suspended'],
    },
  },
  sensitive: [],
  example: { keys: { principal_id: 'user-42' } },
} as const satisfies RecordKind;
