import { Type, type Static } from '@sinclair/typebox';

import { readAs } from './reader/reading.js';
import { budget, identifier, identifierList, literalString, scopeMaxLength } from './schemas.js';
import { approvalStatuses, authorizationModes, sideEffectStatuses } from './vocabulary.js';

/** In the order in which the fields are checked. */
const requiredProperties = {
  tenant_id: identifier('Tenant that the session belongs to now.', { examples: ['tenant-acme'] }),
  principal_id: identifier('Principal that the session acts for now.', { examples: ['user-42'] }),
  authorization_mode: literalString(
    'authorization mode',
    'What the authority of the session rests on now.',
    authorizationModes,
  ),
  policy_version: identifier('Policy version in force.', { examples: ['policy-v4'] }),
  capability_name: identifier('Capability that the action calls, according to the ledger.', {
    examples: ['create_ticket'],
  }),
  capability_version: identifier('Version of that capability in force.', { examples: ['create-ticket-v3'] }),
  approval_id: identifier('Approval that the action rests on, according to the ledger.', {
    examples: ['apr-017'],
  }),
  action_digest: identifier('Digest of the action that the approval is for.', {
    examples: ['sha256:approved-action'],
  }),
  approval_status: literalString('approval status', 'What became of the approval.', approvalStatuses),
  idempotency_key: identifier('Key of the action that the session is at.', {
    examples: ['ticket-intent-017'],
  }),
  side_effect_status: literalString(
    'side-effect status',
    'What the ledger knows of the effect under that key.',
    sideEffectStatuses,
  ),
  checkpoint_ref: identifier('Checkpoint that the session stands at.', {
    examples: ['checkpoint:support-042-step-6'],
  }),
  delegated_principal_id: identifier(
    'Principal whose authority is delegated now; may be empty in any mode.',
    { minLength: 0, examples: ['user-42'] },
  ),
  delegated_scope: Type.String({
    description: 'What is delegated now; may be empty in any mode.',
    maxLength: scopeMaxLength,
    examples: ['tickets:create'],
  }),
};

/** What not every system of record keeps; checked last, in this order. */
const optionalProperties = {
  sandbox_snapshot_ref: Type.Optional(
    identifier('Snapshot that the sandbox stands at.', { examples: ['snapshot:support-042'] }),
  ),
  budget_remaining: Type.Optional(budget('What the session may still spend, in the unit of its own budget.')),
  exact_constraint_refs: Type.Optional(
    identifierList('Constraints in governed storage, by reference.', 'Reference of a constraint.', {
      examples: [['event:user-constraint-017']],
    }),
  ),
  pending_obligations: Type.Optional(
    identifierList('Obligations that are open now.', 'Id of an obligation.', {
      examples: [['reconcile_ticket_write']],
    }),
  ),
};

/** The current control state as a caller attests it, read from systems of record other than the gate's own. */
export const AttestedControlState = readAs(
  Type.Object(
    { ...requiredProperties, ...optionalProperties },
    {
      $id: 'AttestedControlState',
      title: 'AttestedControlState',
      description: 'The current control state, read by the caller from systems of record elsewhere.',
      additionalProperties: false,
    },
  ),
  {
    malformed: 'Continuity state must be ContinuityState',
    standsAlone: true,
    checkedTogetherUpTo: 'delegated_scope',
  },
);
export type AttestedControlState = Static<typeof AttestedControlState>;
