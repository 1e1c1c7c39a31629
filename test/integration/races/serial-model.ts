/**
 * What a session would do if everything happened to it one after the other: the state after each event of its chain,
 * and what a decision in that state must find. Written from the contract, not from the gate's code.
 */

/** What a session's own chain orders. */
export interface SessionState {
  readonly envelope_id: string;
  readonly session_epoch: number;
  readonly session_status: string;
  readonly approval_status: string;
  readonly side_effect_status: string;
}

/** What belongs to the whole tenant, at the revisions that a decision has read. */
export interface TenantState {
  readonly policy: string;
  readonly capability: string;
  readonly principal: string;
}

export type TenantRecord = keyof TenantState;
export const tenantRecords: readonly TenantRecord[] = ['policy', 'capability', 'principal'];

/** What a new session and every one of its envelopes say. */
export const sealed: Omit<SessionState, 'envelope_id'> & TenantState = {
  session_epoch: 0,
  session_status: 'active',
  approval_status: 'approved',
  side_effect_status: 'not_started',
  policy: 'policy-v4',
  capability: 'create-ticket-v3',
  principal: 'active',
};

/** The findings of a rehydration, in their order; none is a go. */
export function findingsOfRehydration(
  session: SessionState,
  tenant: TenantState,
  asked: { readonly envelope_id: string; readonly session_epoch?: number | undefined },
): string[] {
  const findings: [string, boolean][] = [
    ['envelope_superseded', session.envelope_id !== asked.envelope_id],
    ['unknown_side_effect', session.side_effect_status === 'side_effect_unknown'],
    ['stale_epoch', asked.session_epoch !== undefined && asked.session_epoch !== session.session_epoch],
    ['session_not_active', session.session_status !== sealed.session_status],
    ['principal_not_active', tenant.principal !== sealed.principal],
    ['policy_version_changed', tenant.policy !== sealed.policy],
    ['capability_version_changed', tenant.capability !== sealed.capability],
    ['side_effect_status_changed', session.side_effect_status === 'side_effect_committed'],
    ['approval_revoked', session.approval_status === 'revoked'],
  ];
  return findings.filter(([, found]) => found).map(([reason]) => reason);
}

/** The findings of a sealing; none is an accepted envelope. */
export function findingsOfSealing(
  session: SessionState,
  asked: { readonly session_epoch: number },
): string[] {
  if (asked.session_epoch !== session.session_epoch) return ['stale_epoch'];
  if (session.side_effect_status === 'side_effect_unknown') return ['unknown_side_effect'];
  return session.side_effect_status === 'side_effect_committed' ? ['side_effect_status_changed'] : [];
}
