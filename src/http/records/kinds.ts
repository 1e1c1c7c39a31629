import { Type, type TObject } from '@sinclair/typebox';

import { recordBody, recordKinds, type RecordKind, type RecordKindName } from '../../domain/record-kinds.js';
import type { Scope } from '../auth/scopes.js';

/** How one kind of record is reached over HTTP. */
export interface RecordRoute {
  readonly name: RecordKindName;
  /** Below `/tenants/{tenant_id}/`. */
  readonly path: string;
  /** The one system of record that writes the kind. */
  readonly scope: Scope;
  /** Whether a writer may say which epoch of the session it belongs to. */
  readonly sessionEpoch: boolean;
  readonly body: TObject;
  readonly view: TObject;
  /** What a record of the kind is, in a sentence. */
  readonly meaning: string;
}

/** Every kind of record, each on the same two routes. */
export const recordRoutes: readonly RecordRoute[] = [
  route('policy', 'policy', 'policy:write', 'The policy version in force for the whole tenant.'),
  route(
    'capability',
    'capabilities/:capability_name',
    'capabilities:write',
    'The version of a capability in force.',
  ),
  route(
    'principal',
    'principals/:principal_id',
    'principals:write',
    'Whether a principal may act at all. Optional: one without a record may.',
  ),
  route(
    'session',
    'sessions/:session_id',
    'sessions:write',
    'Whether a session goes on, for whom, and where it stands.',
  ),
  route(
    'obligation',
    'sessions/:session_id/obligations/:obligation_id',
    'obligations:write',
    'Something that a session owes, until it is discharged on evidence.',
  ),
  route(
    'constraint',
    'constraints/:constraint_ref',
    'constraints:write',
    'The exact text of a constraint on a session. The text is told only in a context view and to `records:read`.',
  ),
  route('approval', 'approvals/:approval_id', 'approvals:write', 'An approval of one action of one session.'),
  route(
    'side_effect',
    'side-effects/:idempotency_key',
    'effects:write',
    'The ledger entry of one side effect. Record `side_effect_unknown` before calling out: what was started and has no outcome is unknown.',
  ),
];

function route(name: RecordKindName, path: string, scope: Scope, meaning: string): RecordRoute {
  const kind: RecordKind = recordKinds[name];
  const sessionEpoch = name === 'session' || name === 'side_effect';
  const title = name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  return {
    name,
    path,
    scope,
    sessionEpoch,
    meaning,
    body: recordBody(kind, { $id: `${title}Body`, sessionEpoch }),
    view: viewOf(kind, `${title}Record`),
  };
}

/** A record as it is answered. A field that it doesn't have, or that the caller may not see, is left out. */
function viewOf(kind: RecordKind, $id: string): TObject {
  const keys = Object.fromEntries(kind.keys.map((key) => [key, Type.String()]));
  const fields = Object.fromEntries(
    Object.entries(kind.fields).map(([key, schema]) => [
      key,
      kind.sensitive.includes(key) ? Type.Optional(schema) : schema,
    ]),
  );
  return Type.Object(
    {
      tenant_id: Type.String(),
      ...keys,
      ...fields,
      revision: Type.Integer({ minimum: 1, description: 'Counts the changes; also the `ETag`.' }),
      updated_at: Type.String({ format: 'date-time', description: "Last change, by the database's clock." }),
    },
    { $id, title: $id, additionalProperties: false },
  );
}
