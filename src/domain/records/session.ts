import { Type } from '@sinclair/typebox';

import { readAs } from '../reader/reading.js';
import { budget, identifier, literalString, objectiveMaxLength, scopeMaxLength } from '../schemas.js';
import { authorizationModes, sessionStatuses } from '../vocabulary.js';
import type { RecordKind } from './record-kind.js';

export const session = {
  name: 'session',
  path: 'sessions/:session_id',
  meaning: 'Whether a session goes on, for whom, and where it stands.',
  table: 'sessions',
  scope: { name: 'sessions:write', meaning: 'Write session records.' },
  keys: ['session_id'],
  sessionField: 'session_id',
  sessionEpoch: true,
  principalField: 'principal_id',
  descendsFrom: ['parent_session_id', 'predecessor_session_id'],
  fields: {
    session_status: literalString(
      'session status',
      'Whether the session goes on; `cancelled` and `ended` are final.',
      sessionStatuses,
    ),
    principal_id: identifier('Principal that the session acts for.', { examples: ['user-42'] }),
    // Whoever acts for somebody else says for whom, and within what.
    authorization_mode: readAs(
      literalString('authorization mode', 'What its authority rests on.', authorizationModes),
      { needs: { user_delegated: ['delegated_principal_id', 'delegated_scope'] } },
    ),
    delegated_principal_id: identifier('Principal whose authority is delegated; may be empty.', {
      minLength: 0,
      examples: ['user-42'],
    }),
    delegated_scope: Type.String({
      description: 'What is delegated; may be empty.',
      maxLength: scopeMaxLength,
      examples: ['tickets:create'],
    }),
    idempotency_key: identifier('Key of the action that the session is at.', {
      examples: ['ticket-intent-017'],
    }),
    checkpoint_ref: identifier('Checkpoint that it stands at.', {
      examples: ['checkpoint:support-042-step-6'],
    }),
    sandbox_snapshot_ref: Type.Optional(
      identifier('Snapshot that its sandbox stands at.', { examples: ['snapshot:support-042'] }),
    ),
    budget_remaining: Type.Optional(budget('What it may still spend, in the unit of its own budget.')),
    objective: Type.Optional(
      Type.String({
        description: 'What it is to achieve. May hold tabs and line breaks.',
        minLength: 1,
        maxLength: objectiveMaxLength,
        'x-multiline': true,
        examples: ['Resolve the support request without creating a duplicate ticket.'],
      }),
    ),
    parent_session_id: Type.Optional(
      identifier('Session that has started it, and that stops it; never changes once it is set.', {
        examples: ['session-support-000'],
      }),
    ),
    predecessor_session_id: Type.Optional(
      identifier(
        'Session whose work it takes over, with all that binds that one; never changes once it is set.',
        { examples: ['session-support-000'] },
      ),
    ),
  },
  frozen: [],
  status: { field: 'session_status', next: { active: ['cancelled', 'ended'], cancelled: [], ended: [] } },
  sensitive: ['objective'],
  links: [
    {
      to: 'session',
      by: 'predecessor_session_id',
      unique: true,
      refusal: 'session_has_successor',
    },
  ],
  example: {
    keys: { session_id: 'session-support-001' },
    without: ['parent_session_id', 'predecessor_session_id'],
  },
} as const satisfies RecordKind;
