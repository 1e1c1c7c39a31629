import { identifier } from '../schemas.js';
import type { RecordKind } from './record-kind.js';

export const policy = {
  name: 'policy',
  path: 'policy',
  meaning: 'The policy version in force for the whole tenant.',
  table: 'policies',
  scope: { name: 'policy:write', meaning: 'Write the policy record.' },
  keys: [],
  fields: { policy_version: identifier('The policy version in force.', { examples: ['policy-v4'] }) },
  frozen: [],
  sensitive: [],
  example: { keys: {} },
} as const satisfies RecordKind;
