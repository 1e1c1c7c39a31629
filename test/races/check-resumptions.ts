import { isDeepStrictEqual } from 'node:util';

import { groupBy, isResumption, type Exchange, type Report, type Resumption } from './history.js';
import type { Placed } from './match-events.js';
import type { StoredTenant } from './read-store.js';
import { findingsOfRehydration, sealed, type SessionState } from './serial-model.js';

/** A session's chain with the state behind each of its events. */
export interface Replayed {
  readonly chain: readonly Placed[];
  readonly states: readonly SessionState[];
}

/** Whether every answer under a key that had been used before is one that the key may still give. */
export function checkKeys(
  exchanges: readonly Exchange[],
  replayed: Replayed,
  { kept }: StoredTenant,
  report: Report,
): void {
  const keyed = groupBy(exchanges.filter(isResumption), ({ asked }) => asked.idempotency_key);
  for (const [key, answers] of keyed) {
    if (key === undefined) continue;
    checkStopsAreKept(key, answers, report);
    for (const go of answers.filter(isGo)) checkIsCurrent(key, go, replayed, report);
    const decisions = replayed.chain.filter((placed) => answers.some((answer) => isOf(answer, placed)));
    checkNotDecidedInVain(key, decisions, replayed, report);
    const last = decisions.at(-1);
    if (kept.get(key) !== last?.event.decision_id) report('stale_repeat', `${key} keeps an older decision`);
  }
}

function checkStopsAreKept(key: string, answers: readonly Resumption[], report: Report): void {
  for (const stop of answers.filter((answer) => !isGo(answer))) {
    const later = answers.filter(({ start }) => start > stop.end);
    if (!later.every(({ status, body }) => status === stop.status && isDeepStrictEqual(body, stop.body))) {
      report('stale_repeat', `${key} gave another answer after its stop`);
    }
  }
}

/** There is a moment between the start and the end of the request at which the go was the session's last, and held. */
function checkIsCurrent(key: string, go: Resumption, { chain, states }: Replayed, report: Report): void {
  const own = chain.findIndex((placed) => isOf(go, placed));
  const next = chain.findIndex(({ event }, place) => place > own && isRehydration(event));
  const acknowledged = chain.findLastIndex(({ end }) => end < go.start);
  const begun = chain.findIndex(({ start }) => start > go.end);
  const from = Math.max(own, acknowledged);
  const to = Math.min(...[next, begun].map((place) => (place < 0 ? chain.length : place)));
  const held = states.slice(from, to).some((state) => holds(state, go));
  if (own < 0 || !held)
    report('stale_repeat', `${key} gave the go ${String(go.body['session_epoch'])} too late`);
}

/** A key is decided anew only when its go no longer was the last one, or no longer held. */
function checkNotDecidedInVain(
  key: string,
  decisions: readonly Placed[],
  { chain, states }: Replayed,
  report: Report,
): void {
  for (const [index, decision] of decisions.slice(1).entries()) {
    const before = decisions[index];
    const state = states[chain.indexOf(decision) - 1];
    const go = before?.exchanges.filter(isResumption).find(isGo);
    if (!state || !go) {
      report('stale_repeat', `${key} was decided again after a stop`);
    } else if (
      state.session_epoch === go.body['session_epoch'] &&
      holds(state, go) &&
      !tenantHasMoved(decision)
    ) {
      report('stale_repeat', `${key} was decided again while its go was current`);
    }
  }
}

/** As far as the session's own chain tells; the presented epoch is the one before the go's own. */
function holds(state: SessionState, { asked: { envelope_id } }: Resumption): boolean {
  return findingsOfRehydration(state, sealed, { envelope_id }).length === 0;
}

/** Whether the decision found something that the session's own chain doesn't tell. */
function tenantHasMoved({ event }: Placed): boolean {
  return !isRehydration(event);
}

function isOf({ body }: Exchange, { event }: Placed): boolean {
  return body['decision_id'] === event.decision_id;
}

function isGo({ status }: Exchange): boolean {
  return status === 200;
}

function isRehydration({ event_type }: Placed['event']): boolean {
  return event_type === 'context_rehydration';
}

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
