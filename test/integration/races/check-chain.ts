import { chainStart, eventDigest, type TraceEvent } from '../../../src/domain/trace-event.js';
import type { StoredTenant } from './read-store.js';
import type { Report } from './violations.js';

/** Whether both chains of a tenant are what everyone could recompute, up to the tips that their heads name. */
export function checkChains({ chain, tenantChain, tips }: StoredTenant, report: Report): void {
  checkChain(chain, tips.session, report);
  checkChain(tenantChain, tips.tenant, report);
}

function checkChain(
  events: readonly TraceEvent[],
  tip: StoredTenant['tips']['session'],
  report: Report,
): void {
  let previous = { sequence: 0, sha256: chainStart };
  for (const event of events) {
    const { sequence, event_sha256, previous_sha256 } = event;
    if (sequence !== previous.sequence + 1) {
      report('broken_chain', `${sequence} stands behind ${previous.sequence}`);
    }
    if (previous_sha256 !== previous.sha256) report('broken_chain', `${sequence} links to another event`);
    if (eventDigest(event) !== event_sha256) report('broken_chain', `${sequence} has another digest`);
    previous = { sequence, sha256: event_sha256 };
  }
  if (previous.sequence !== tip.sequence || previous.sha256 !== tip.sha256) {
    report('broken_chain', `the head says ${tip.sequence}, the chain ends at ${previous.sequence}`);
  }
}
