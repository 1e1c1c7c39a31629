import { actionsOf, listsActions, soleAction } from './actions.js';
import type { ComparedFacts, EnvelopeFacts, FrozenAction } from './facts.js';

/** What to ask the policy decision point before the next call: of several calls, one request for each that is to come. */
export function authorizationRequests(facts: ComparedFacts, session_epoch: number) {
  const { envelope } = facts;
  if (!listsActions(envelope)) {
    return { authorization_request: requestFor(soleAction(envelope), envelope, session_epoch) };
  }
  // What is done already asks for nothing.
  const ahead = actionsOf(facts).filter(
    ({ side_effect }) => side_effect?.side_effect_status === 'not_started',
  );
  return {
    authorization_requests: ahead.map(({ frozen }) => requestFor(frozen, envelope, session_epoch)),
  };
}

/** In the form of OpenID AuthZEN. */
function requestFor(action: FrozenAction, envelope: EnvelopeFacts, session_epoch: number) {
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
