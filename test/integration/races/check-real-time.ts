import { isResumption, type Exchange, type Resumption } from './history.js';
import type { Placed } from './place-events.js';
import { sealed } from './serial-model.js';
import type { Report } from './violations.js';

/** What began after something was acknowledged stands behind it in the chain. */
export function checkRealTimeOrder(chain: readonly Placed[], report: Report): void {
  let latestStart: Placed | undefined;
  for (const placed of chain) {
    if (latestStart && placed.end < latestStart.start) {
      report(
        'real_time_order',
        `${placed.event.sequence} was acknowledged before ${latestStart.event.sequence} began`,
      );
    }
    if (!latestStart || placed.start > latestStart.start) latestStart = placed;
  }
}

/** No go, new or repeated, to a request that began after a stopping change was acknowledged: no trace is asked. */
export function checkNoGoAfterStop(exchanges: readonly Exchange[], report: Report): void {
  const changes = exchanges.flatMap(toChange);
  for (const go of exchanges.filter(isResumption).filter(({ status }) => status === 200)) {
    for (const stop of changes) {
      if (stops(stop, go) && stop.exchange.end < go.start && !isTakenBack(stop, go, changes)) {
        report(
          'go_after_stop',
          `${go.asked.runtime_id} went on after ${stop.register} had become ${stop.value}`,
        );
      }
    }
  }
}

/** An acknowledged change of something that a rule reads. */
interface Change {
  readonly register: string;
  readonly value: string;
  readonly exchange: Exchange;
}

function toChange(exchange: Exchange): Change[] {
  const { asked, status } = exchange;
  if (status >= 300) return [];
  switch (asked.kind) {
    case 'write':
      return [{ register: asked.record, value: asked.value, exchange }];
    case 'reconcile':
      return [{ register: 'side_effect', value: asked.value, exchange }];
    case 'seal':
      return [{ register: 'envelope', value: asked.envelope_id, exchange }];
    case 'rehydrate':
      return [];
  }
}

/** The values at which a go is possible. */
const goodValues: Readonly<Record<string, string>> = {
  policy: sealed.policy,
  capability: sealed.capability,
  principal: sealed.principal,
  session: sealed.session_status,
  approval: sealed.approval_status,
  side_effect: sealed.side_effect_status,
};

function stops({ register, value, exchange }: Change, go: Resumption): boolean {
  if (register === 'envelope') {
    // The first envelope was sealed when there was no other.
    return value !== go.asked.envelope_id && exchange.status === 201 && !isFirstEnvelope(exchange);
  }
  const good = goodValues[register];
  return good !== undefined && value !== good;
}

function isFirstEnvelope({ body }: Exchange): boolean {
  return body['session_epoch'] === 0;
}

function isTakenBack(stop: Change, go: Resumption, changes: readonly Change[]): boolean {
  return changes.some(
    ({ register, value, exchange }) =>
      register === stop.register &&
      value === goodValues[register] &&
      exchange.start > stop.exchange.start &&
      exchange.start < go.end,
  );
}
