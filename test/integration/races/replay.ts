import { valueAt } from '../../support/edit-json.js';
import type { Exchange } from './history.js';
import type { Placed, PlacedEvents } from './place-events.js';
import {
  findingsOfRehydration,
  findingsOfSealing,
  sealed,
  tenantRecords,
  type SessionState,
  type TenantRecord,
  type TenantState,
} from './serial-model.js';
import type { Report } from './violations.js';

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
