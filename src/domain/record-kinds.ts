import { Type, type TObject, type TSchema } from '@sinclair/typebox';

import { canonicalDigest } from './digest.js';
import { readAs } from './reader/reading.js';
import {
  budget,
  identifier,
  identifierList,
  literalString,
  objectiveMaxLength,
  scopeMaxLength,
  identifierMaxLength,
} from './schemas.js';
import {
  approvalStatuses,
  authorizationModes,
  constraintStatuses,
  obligationStatuses,
  principalStatuses,
  sessionStatuses,
  sideEffectStatuses,
} from './vocabulary.js';

/** Longest constraint text, in code points. */
export const constraintTextMaxLength = 16_384;

/** A record's fields as they are read, compared and stored; null: the record has no such value. */
export type RecordFields = Readonly<Record<string, string | number | readonly string[] | null>>;

/** What one kind of record is: its fields, what may become of them, and what of it is told to whom. */
export interface RecordKind {
  /** Its name in the trace. */
  readonly kind: string;
  /** Fields of its path below the tenant, outermost first; for a policy none. */
  readonly keys: readonly string[];
  /** Body of a PUT, each field with its limits. */
  readonly fields: Readonly<Record<string, TSchema>>;
  /** The field with the session that the record belongs to; undefined: it belongs to the whole tenant. */
  readonly sessionField?: string;
  /** Fields that never change once the record is there. */
  readonly frozen: readonly string[];
  /** The status field and what may follow on each status; a status that nothing may follow on is final. */
  readonly status?: {
    readonly field: string;
    readonly next: Readonly<Record<string, readonly string[]>>;
  };
  /** A time that may only become earlier. */
  readonly onlyEarlier?: string;
  /** Free text: told only to who may read records. */
  readonly sensitive: readonly string[];
  /** What the store keeps beside the fields, made from them. */
  readonly derive?: (fields: RecordFields) => RecordFields;
}

const sessionId = identifier('Session that the record belongs to; never changes.', {
  examples: ['session-support-001'],
});
const capabilityName = identifier('Capability that the action calls; never changes.', {
  examples: ['create_ticket'],
});
const actionDigest = identifier('Digest of the action; never changes.', {
  examples: ['sha256:approved-action'],
});

/** Covers a constraint's text and what it forbids, so that neither can change unseen after sealing. */
export function constraintDigest(text: string, forbids_capability: string | null): string {
  return canonicalDigest({ text, forbids_capability });
}

/** Every kind of record that is written whole by a PUT, by its name in the trace. */
export const recordKinds = {
  policy: {
    kind: 'policy',
    keys: [],
    fields: { policy_version: identifier('The policy version in force.', { examples: ['policy-v4'] }) },
    frozen: [],
    sensitive: [],
  },
  capability: {
    kind: 'capability',
    keys: ['capability_name'],
    fields: {
      capability_version: identifier('The version in force.', { examples: ['create-ticket-v3'] }),
    },
    frozen: [],
    sensitive: [],
  },
  principal: {
    kind: 'principal',
    keys: ['principal_id'],
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
  },
  session: {
    kind: 'session',
    keys: ['session_id'],
    sessionField: 'session_id',
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
      delegated_principal_id: Type.String({
        description: 'Principal whose authority is delegated; may be empty.',
        maxLength: identifierMaxLength,
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
    },
    frozen: [],
    status: { field: 'session_status', next: { active: ['cancelled', 'ended'], cancelled: [], ended: [] } },
    sensitive: ['objective'],
  },
  obligation: {
    kind: 'obligation',
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
  },
  constraint: {
    kind: 'constraint',
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
    derive: ({ text, forbids_capability }) => ({
      sha256: constraintDigest(String(text), forbids_capability === null ? null : String(forbids_capability)),
    }),
  },
  approval: {
    kind: 'approval',
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
        examples: ['2026-07-21T18:00:00Z'],
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
  },
  side_effect: {
    kind: 'side_effect',
    keys: ['idempotency_key'],
    sessionField: 'session_id',
    fields: {
      session_id: sessionId,
      capability_name: capabilityName,
      approval_id: identifier('Approval that the action rests on; never changes.', { examples: ['apr-017'] }),
      action_digest: actionDigest,
      side_effect_status: literalString(
        'side-effect status',
        'What is known of the effect. Unknown is left by a reconciliation only; committed is final.',
        sideEffectStatuses,
      ),
    },
    frozen: ['session_id', 'capability_name', 'approval_id', 'action_digest'],
    status: {
      field: 'side_effect_status',
      next: {
        not_started: ['side_effect_committed', 'side_effect_unknown'],
        side_effect_committed: [],
        side_effect_unknown: [],
      },
    },
    sensitive: [],
  },
} as const satisfies Readonly<Record<string, RecordKind>>;

export type RecordKindName = keyof typeof recordKinds;

/** The body of a PUT as a schema. Session and side-effect writes may say which epoch they belong to. */
export function recordBody(kind: RecordKind, options: { $id: string; sessionEpoch: boolean }): TObject {
  const { $id, sessionEpoch } = options;
  return Type.Object(
    {
      ...kind.fields,
      ...(sessionEpoch && {
        session_epoch: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'Refused unless it is the current epoch of the session.',
            examples: [1],
          }),
        ),
      }),
    },
    { $id, title: $id, additionalProperties: false },
  );
}
