import type { TraceEvent } from '../../src/domain/trace-event.js';
import { valueAt } from '../support/edit-json.js';
import { groupBy, isResumption, type Exchange, type Report } from './history.js';
import type { StoredTenant } from './read-store.js';

/** An event with the exchanges that it came from: several where a key was repeated, none where the answer was lost. */
export interface Placed {
  readonly event: TraceEvent;
  readonly exchanges: readonly Exchange[];
  /** When what the event reports can have happened: after the start of the first exchange, before the end of any. */
  readonly start: number;
  readonly end: number;
}

export interface PlacedEvents {
  /** The session's chain, in its order. */
  readonly chain: readonly Placed[];
  readonly tenantChain: readonly Placed[];
}

/** Finds the event of each exchange, and the exchanges of each event. */
export function matchEvents(
  exchanges: readonly Exchange[],
  stored: StoredTenant,
  report: Report,
): PlacedEvents {
  const byChange = groupBy(exchanges, changeOfExchange);
  const seen = new Set<string>();
  const place = (event: TraceEvent): Placed => {
    const change = changeOfEvent(event);
    const own = seen.has(change) ? [] : (byChange.get(change) ?? []);
    seen.add(change);
    if (own.length === 0) {
      report('told', `nobody was told of ${change}`);
      return { event, exchanges: [], start: -Infinity, end: Infinity };
    }
    if (own.length > 1 && !isOneKey(own)) {
      report('one_event_per_change', `${own.length} answers tell of the one event of ${change}`);
    }
    const start = Math.min(...own.map((exchange) => exchange.start));
    const end = Math.min(...own.map((exchange) => exchange.end));
    return { event, exchanges: own, start, end };
  };
  const placed = { chain: stored.chain.map(place), tenantChain: stored.tenantChain.map(place) };
  for (const change of byChange.keys()) {
    if (change !== noChange && !seen.has(change)) report('one_event_per_change', `no event of ${change}`);
  }
  return placed;
}

const noChange = 'nothing';

/** What an answer says has happened, in the words of its event. */
function changeOfExchange({ asked, status, body }: Exchange): string {
  switch (asked.kind) {
    case 'write': {
      if (status >= 300) return noChange;
      const revision = body['revision'] ?? valueAt(body, '/events/8/sequence');
      return `${asked.record} revision ${String(revision)}`;
    }
    case 'reconcile':
      return `side_effect revision ${String(body['revision'])}`;
    case 'seal':
      if (body['code'] === 'stale_epoch') return `fenced off ${asked.envelope_id}`;
      return `event ${String(valueAt(body, '/trace_event/event_id'))}`;
    case 'rehydrate':
      return `event ${String(valueAt(body, '/trace_event/event_id'))}`;
  }
}

function changeOfEvent({ event_type, event_id, envelope_id, decision_id, payload }: TraceEvent): string {
  if (event_type === 'control_record_written') {
    return `${String(payload['kind'])} revision ${String(payload['revision'])}`;
  }
  if (event_type === 'side_effect_reconciled') return `side_effect revision ${String(payload['revision'])}`;
  const isFenced = event_type === 'continuity_validation_failed' && decision_id === null;
  return isFenced ? `fenced off ${String(envelope_id)}` : `event ${event_id}`;
}

/** Whether all of them are the same request under the same key. */
function isOneKey(exchanges: readonly Exchange[]): boolean {
  const keys = new Set(
    exchanges.map((exchange) => (isResumption(exchange) ? exchange.asked.idempotency_key : undefined)),
  );
  return keys.size === 1 && !keys.has(undefined);
}
