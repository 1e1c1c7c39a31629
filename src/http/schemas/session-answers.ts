import { Type } from '@sinclair/typebox';

import { nullable } from '../../domain/schemas.js';
import { SessionEvent } from '../../domain/session-event.js';

/** An event of a session's log with its place. */
const LoggedEvent = Type.Object({
  ...SessionEvent.properties,
  sequence: Type.Integer({ minimum: 1, description: 'Its place in the log, from 1 without gaps.' }),
  lineage_sha256: Type.String({
    description:
      'Running digest: SHA-256, in hex, of the RFC 8785 canonical JSON of `{previous, sequence, event_id, event_type, content_sha256}`; the first `previous` is 64 zeros.',
  }),
});

const AppendedEvents = Type.Object(
  {
    events: Type.Array(LoggedEvent, { description: 'Every event of the batch with its place.' }),
    added: Type.Integer({ minimum: 0, description: 'How many of them are new.' }),
  },
  { $id: 'AppendedEvents', title: 'AppendedEvents', additionalProperties: false },
);

const SessionEventPage = Type.Object(
  {
    events: Type.Array(LoggedEvent, { description: 'Events in the order of the log.' }),
    next_after: nullable(Type.Integer({ description: 'Sequence to go on behind; null at the end.' })),
  },
  { $id: 'SessionEventPage', title: 'SessionEventPage', additionalProperties: false },
);

const SessionEpoch = Type.Object(
  {
    session_epoch: Type.Integer({ minimum: 0, description: 'How many times the session was resumed.' }),
    held_by: nullable(Type.String({ description: 'Who resumed it last; null while nobody has.' })),
    held_since: nullable(Type.String({ format: 'date-time', description: 'Since when.' })),
  },
  { $id: 'SessionEpoch', title: 'SessionEpoch', additionalProperties: false },
);

const stateField = (description: string) => nullable(Type.String({ description }));

const AssembledState = Type.Object(
  {
    tenant_id: Type.String(),
    principal_id: stateField('From the session.'),
    authorization_mode: stateField('From the session.'),
    delegated_principal_id: stateField('From the session.'),
    delegated_scope: stateField('From the session.'),
    policy_version: stateField('In force for the tenant.'),
    capability_name: stateField("From the ledger, under the session's current key."),
    capability_version: stateField('In force for that capability.'),
    approval_id: stateField('From the ledger.'),
    action_digest: stateField('From the ledger.'),
    approval_status: stateField('Of that approval.'),
    idempotency_key: stateField('From the session.'),
    side_effect_status: stateField('From the ledger.'),
    checkpoint_ref: stateField('From the session.'),
  },
  {
    $id: 'AssembledState',
    title: 'AssembledState',
    description: 'The current control state of a session from its records; null where there is no record.',
    additionalProperties: false,
  },
);

const ReconciliationQueue = Type.Object(
  {
    reconciliations: Type.Array(
      Type.Object({
        idempotency_key: Type.String({ description: 'Key under which to settle the effect.' }),
        session_id: Type.String({ description: 'Session that it blocks.' }),
        capability_name: Type.String({ description: 'Capability whose effect it is.' }),
        approval_id: Type.String({ description: 'Approval that it rests on.' }),
        unknown_since: Type.String({
          format: 'date-time',
          description: 'Since when its outcome is unknown.',
        }),
        age_seconds: Type.Integer({ minimum: 0, description: 'For how many seconds.' }),
        href: Type.String({ description: 'Where to settle it.' }),
      }),
      { description: 'Every effect whose outcome is unknown, oldest first.' },
    ),
  },
  { $id: 'ReconciliationQueue', title: 'ReconciliationQueue', additionalProperties: false },
);

const Timeline = Type.Object(
  {
    tenant_id: Type.String(),
    session_id: Type.String(),
    ...SessionEpoch.properties,
    events: Type.Array(Type.Ref('TraceEvent#'), { description: 'In the order of the chain.' }),
    next_after: nullable(Type.Integer({ description: 'Sequence to go on behind; null at the end.' })),
  },
  { $id: 'Timeline', title: 'Timeline', additionalProperties: false },
);

const TraceIntegrity = Type.Object(
  {
    intact: Type.Boolean({ description: 'Whether every event is there and unchanged.' }),
    events: Type.Integer({ minimum: 0, description: 'How many events were verified.' }),
    broken_at: nullable(
      Type.Integer({ description: 'Sequence of the first event that is missing, changed or out of place.' }),
    ),
  },
  { $id: 'TraceIntegrity', title: 'TraceIntegrity', additionalProperties: false },
);

/** Answers of the routes about sessions, by their ids in the API document. */
export const sessionAnswers = [
  AppendedEvents,
  SessionEventPage,
  SessionEpoch,
  AssembledState,
  ReconciliationQueue,
  Timeline,
  TraceIntegrity,
];
