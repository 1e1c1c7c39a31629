import { valueAt } from '../support/edit-json.js';
import type { Exchange, Report } from './history.js';
import type { Placed, PlacedEvents } from './match-events.js';

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

/** The state before the first event of a session's chain. */
const unborn: SessionState = { ...sealed, envelope_id: 'none' };

/**
 * Goes through the chain event by event, as if nothing had ever run beside anything else, and compares what each
 * decision found with what it must find there. Returns the state behind each event.
 */
export function replay({ chain, tenantChain }: PlacedEvents, report: Report): SessionState[] {
  const states: SessionState[] = [];
  let state = unborn;
  for (const placed of chain) {
    state = step(state, placed, tenantChain, report);
    states.push(state);
  }
  return states;
}

function step(
  state: SessionState,
  placed: Placed,
  tenantChain: readonly Placed[],
  report: Report,
): SessionState {
  const { asked } = placed.exchanges[0] ?? {};
  const place = `at ${placed.event.sequence}`;
  switch (asked?.kind) {
    case 'write':
      if (asked.session_epoch !== undefined && asked.session_epoch !== state.session_epoch) {
        report('fencing', `${place} a write of epoch ${asked.session_epoch} in ${state.session_epoch}`);
      }
      return {
        ...state,
        ...(`${asked.record}_status` in state && { [`${asked.record}_status`]: asked.value }),
      };
    case 'reconcile':
      return { ...state, side_effect_status: asked.value };
    case 'seal': {
      compare(place, findingsIn(placed), findingsOfSealing(state, asked), report);
      return findingsIn(placed).length > 0 ? state : { ...state, envelope_id: asked.envelope_id };
    }
    case 'rehydrate': {
      const tenant = tenantStateRead(placed, tenantChain, report);
      compare(place, findingsIn(placed), findingsOfRehydration(state, tenant, asked), report);
      return moveOn(state, placed, report);
    }
    case undefined:
      return moveOn(state, placed, report);
  }
}

/** A go opens the next epoch. */
function moveOn(state: SessionState, { event }: Placed, report: Report): SessionState {
  if (event.event_type !== 'context_rehydration') return state;
  const session_epoch = Number(event.payload['session_epoch']);
  if (session_epoch !== state.session_epoch + 1) {
    report('epoch_order', `at ${event.sequence} epoch ${session_epoch} follows on ${state.session_epoch}`);
  }
  return { ...state, session_epoch };
}

function compare(place: string, found: readonly string[], expected: readonly string[], report: Report): void {
  if (found.join() === expected.join()) return;
  report('chain_order', `${place} the decision found [${found.join()}], the chain says [${expected.join()}]`);
}

function findingsIn({ event }: Placed): string[] {
  const findings = event.payload['findings'];
  if (!Array.isArray(findings)) return [];
  return findings.map((finding) => String(valueAt(finding, '/reason')));
}

/** What the tenant's records said at the revisions that the decision's event names. */
function tenantStateRead(placed: Placed, tenantChain: readonly Placed[], report: Report): TenantState {
  const read = (record: TenantRecord) => {
    const revision = Number(valueAt(placed.event.payload, `/record_revisions/${record}`));
    const writes = tenantChain.filter(({ event }) => event.payload['kind'] === record);
    checkRevision(placed, { record, revision }, writes, report);
    const write = writes.find(({ event }) => event.payload['revision'] === revision);
    return write?.exchanges[0] ? valueOf(write.exchanges[0]) : 'unknown';
  };
  const [policy, capability, principal] = tenantRecords.map(read);
  return { policy: policy ?? '', capability: capability ?? '', principal: principal ?? '' };
}

/** The revision must be one that was there at some moment of the decision. */
function checkRevision(
  { event, start, end }: Placed,
  { record, revision }: { record: TenantRecord; revision: number },
  writes: readonly Placed[],
  report: Report,
): void {
  const newest = (candidates: readonly Placed[]) =>
    Math.max(0, ...candidates.map((write) => Number(write.event.payload['revision'])));
  const acknowledged = newest(writes.filter((write) => write.end < start));
  const begun = newest(writes.filter((write) => write.start < end));
  if (revision < acknowledged || revision > begun) {
    report(
      'record_revisions',
      `at ${event.sequence} ${record} ${revision} was read, while ${acknowledged} was acknowledged and ${begun} begun`,
    );
  }
}

function valueOf({ asked }: Exchange): string {
  return asked.kind === 'write' || asked.kind === 'reconcile' ? asked.value : '';
}
