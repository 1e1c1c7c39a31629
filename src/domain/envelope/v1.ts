import { Type, type Static } from '@sinclair/typebox';

import { digestPrefix, sha256Digest } from '../digest.js';
import type { EnvelopeFacts, FrozenAction } from '../facts.js';
import { readAs, type ReadingOptions } from '../reader/reading.js';
import {
  budget,
  identifier,
  identifierList,
  literalString,
  objectiveMaxLength,
  scopeMaxLength,
} from '../schemas.js';
import { authorizationModes, resetReasons, schemaVersion, sideEffectStatuses } from '../vocabulary.js';
import type { FrozenAtSealing } from './sealed.js';
import { SourceEventRange } from './source-event-range.js';

/** Whose action was frozen, under which versions, and what is known of it; in the order in which it is checked. */
export const controlProperties = {
  schema_version: literalString('schema version', 'Version of this schema.', [schemaVersion]),
  envelope_id: identifier('Id of the envelope, unique within its tenant.', {
    examples: ['ce-2026-07-21-001'],
  }),
  session_id: identifier('Session whose context was compacted or reset.', {
    examples: ['session-support-001'],
  }),
  source_trace_id: identifier('Trace of the run that seals the envelope.', {
    examples: ['trace-support-042'],
  }),
  tenant_id: identifier('Tenant that the session belongs to.', { examples: ['tenant-acme'] }),
  principal_id: identifier('Principal that the run acts for; in a role handoff, the one that will resume.', {
    examples: ['user-42'],
  }),
  authorization_mode: readAs(
    literalString('authorization mode', 'What the authority of the run rests on.', authorizationModes),
    { needs: { user_delegated: ['delegated_principal_id', 'delegated_scope'] } },
  ),
  policy_version: identifier('Policy version in force at sealing.', { examples: ['policy-v4'] }),
  capability_name: identifier('Capability that the frozen action calls.', { examples: ['create_ticket'] }),
  capability_version: identifier('Version of that capability at sealing.', {
    examples: ['create-ticket-v3'],
  }),
  approval_id: identifier('Approval that the frozen action rests on.', { examples: ['apr-017'] }),
  action_digest: identifier('Digest of the frozen action; compared, never recomputed.', {
    examples: ['sha256:approved-action'],
  }),
  approval_expires_at: identifier(
    'When the approval runs out: RFC 3339 with an offset, at most six fraction digits, kept to the microsecond.',
    { format: 'date-time', examples: ['2099-07-21T18:00:00Z'] },
  ),
  idempotency_key: identifier('Key under which the frozen action is carried out at most once.', {
    examples: ['ticket-intent-017'],
  }),
  side_effect_status: literalString(
    'side-effect status',
    'What the run knows of the effect under that key.',
    sideEffectStatuses,
  ),
  checkpoint_ref: identifier('Checkpoint to resume from.', { examples: ['checkpoint:support-042-step-6'] }),
  summary_sha256: readAs(
    identifier(
      'Binds the summary: `sha256:` and the lower-case hex SHA-256 of its trimmed text in UTF-8. Only the prefix is checked.',
      { pattern: `^${digestPrefix}`, examples: ['sha256:compacted-view'] },
    ),
    { refused: 'Continuity summary digest must use sha256' },
  ),
  delegated_principal_id: identifier(
    'Principal whose authority was delegated; may be empty unless the mode is `user_delegated`.',
    { minLength: 0, examples: ['user-42'] },
  ),
  delegated_scope: Type.String({
    description: 'What was delegated; may be empty unless the mode is `user_delegated`.',
    maxLength: scopeMaxLength,
    examples: ['tickets:create'],
  }),
  requires_reauthorization: readAs(
    Type.Literal(true, { description: 'Always true: no envelope authorizes anything.' }),
    {
      malformed: 'Continuity reauthorization flag must be a boolean',
      refused: 'Continuity envelope must require reauthorization',
    },
  ),
};

/** What must not depend on the prose of a summary; in the order in which it is checked. */
export const contentProperties = {
  reset_reason: literalString('reset reason', 'Why the context is given up.', resetReasons),
  objective: Type.String({
    description: 'What the run is to achieve. May hold tabs and line breaks.',
    minLength: 1,
    maxLength: objectiveMaxLength,
    'x-multiline': true,
    examples: ['Resolve the support request without creating a duplicate ticket.'],
  }),
  exact_constraint_refs: identifierList(
    'Constraints that bind the run, by reference: their exact text stays in governed storage.',
    'Reference of a constraint.',
    { examples: [['event:user-constraint-017']] },
  ),
  pending_obligations: identifierList('Work that the run still owes.', 'Id of an obligation.', {
    examples: [['reconcile_ticket_write']],
  }),
  evidence_refs: identifierList(
    'Where what the envelope says can be checked.',
    'Reference of a piece of evidence.',
    {
      examples: [['trace:trace-support-042', 'approval:apr-017']],
    },
  ),
  source_event_range: SourceEventRange,
  sandbox_snapshot_ref: Type.Optional(
    identifier('Snapshot of the sandbox to resume in.', { examples: ['snapshot:support-042'] }),
  ),
  budget_remaining: Type.Optional(budget('What the run may still spend, in the unit of its own budget.')),
};

/** How an envelope of any version is read. */
export const asEnvelope: ReadingOptions = {
  malformed: 'Continuity envelope must be ContinuityEnvelope',
  standsAlone: true,
  checkedTogetherUpTo: 'requires_reauthorization',
};

/** The control contract of one boundary, sealed before compaction, reset, recovery or handoff. Immutable. */
export const ContinuityEnvelope = readAs(
  Type.Object(
    { ...controlProperties, ...contentProperties },
    {
      $id: 'ContinuityEnvelope',
      title: 'ContinuityEnvelope',
      description: 'What must survive a compaction, reset, recovery or handoff without being summarized.',
      additionalProperties: false,
    },
  ),
  asEnvelope,
);
export type ContinuityEnvelope = Static<typeof ContinuityEnvelope>;

/** An envelope whose content fields may be absent: enough for a decision on the reference's fields. */
export const InspectedEnvelope = readAs(
  Type.Object(
    { ...controlProperties, ...Type.Partial(Type.Object(contentProperties)).properties },
    {
      $id: 'InspectedEnvelope',
      title: 'InspectedEnvelope',
      description:
        'A continuity envelope to be inspected; what the decision does not compare may be left out.',
      additionalProperties: false,
    },
  ),
  asEnvelope,
);
export type InspectedEnvelope = Static<typeof InspectedEnvelope>;

/** Its only action. */
export function actionsOfV1(envelope: InspectedEnvelope): FrozenAction[] {
  return [
    {
      idempotency_key: envelope.idempotency_key,
      capability_name: envelope.capability_name,
      capability_version: envelope.capability_version,
      action_digest: envelope.action_digest,
      approval_id: envelope.approval_id,
      approval_expires_at: envelope.approval_expires_at,
      side_effect_status: envelope.side_effect_status,
    },
  ];
}

export function factsOfV1(envelope: InspectedEnvelope, frozen: FrozenAtSealing): EnvelopeFacts {
  return { ...factsInEveryVersion(envelope, frozen), actions: actionsOfV1(envelope) };
}

type OfAction = keyof FrozenAction;

/** What an envelope of any version contributes to a decision beside its actions: the objective only as its digest. */
export function factsInEveryVersion(
  envelope: Omit<InspectedEnvelope, OfAction | 'schema_version'> & { readonly schema_version: string },
  frozen: FrozenAtSealing,
): Omit<EnvelopeFacts, 'actions'> {
  const constraintDigests = new Map(Object.entries(frozen.constraint_digests));
  return {
    schema_version: envelope.schema_version,
    envelope_id: envelope.envelope_id,
    envelope_sha256: frozen.envelope_sha256,
    tenant_id: envelope.tenant_id,
    session_id: envelope.session_id,
    principal_id: envelope.principal_id,
    source_trace_id: envelope.source_trace_id,
    authorization_mode: envelope.authorization_mode,
    delegated_principal_id: envelope.delegated_principal_id,
    delegated_scope: envelope.delegated_scope,
    policy_version: envelope.policy_version,
    checkpoint_ref: envelope.checkpoint_ref,
    sandbox_snapshot_ref: envelope.sandbox_snapshot_ref ?? null,
    budget_remaining: envelope.budget_remaining ?? null,
    objective_sha256: envelope.objective === undefined ? null : sha256Digest(envelope.objective),
    constraints: (envelope.exact_constraint_refs ?? []).map((ref) => ({
      ref,
      frozen_sha256: constraintDigests.get(ref) ?? null,
    })),
    pending_obligations: envelope.pending_obligations ?? [],
    source_event_range: envelope.source_event_range ?? null,
    lineage_sha256: frozen.lineage_sha256,
    summary_sha256: envelope.summary_sha256,
  };
}
