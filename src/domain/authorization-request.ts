import { soleAction } from './actions.js';
import type { EnvelopeFacts } from './facts.js';

/** What to ask the policy decision point before the next call, in the form of OpenID AuthZEN. */
export function authorizationRequest(envelope: EnvelopeFacts, session_epoch: number) {
  const action = soleAction(envelope);
  return {
    subject: { type: 'principal' as const, id: envelope.principal_id },
    action: { name: action.capability_name },
    resource: { type: 'idempotency_key' as const, id: action.idempotency_key },
    context: {
      tenant_id: envelope.tenant_id,
      session_id: envelope.session_id,
      session_epoch,
      action_digest: action.action_digest,
      approval_id: action.approval_id,
      authorization_mode: envelope.authorization_mode,
      delegated_principal_id: envelope.delegated_principal_id,
      delegated_scope: envelope.delegated_scope,
      policy_version: envelope.policy_version,
      capability_version: action.capability_version,
    },
  };
}
