import { decodeJwt } from 'jose';

import { chainStart, eventDigest, type TraceEvent } from '../../src/domain/trace-event.js';
import { checkKeys, checkNoGoAfterStop, checkRealTimeOrder } from './check-resumptions.js';
import { groupBy, type Exchange, type Report, type Violation } from './history.js';
import { matchEvents, type Placed } from './match-events.js';
import type { StoredTenant } from './read-store.js';
import { replay } from './serial-model.js';

/** Checks what was asked and answered, and what the store holds of it, tenant by tenant. */
export function checkHistory(
  exchanges: readonly Exchange[],
  store: ReadonlyMap<string, StoredTenant>,
): Violation[] {
  const violations: Violation[] = [];
  for (const [tenant_id, own] of groupBy(exchanges, (exchange) => exchange.tenant_id)) {
    const report: Report = (promise, detail) => violations.push({ promise, tenant_id, detail });
    const stored = store.get(tenant_id);
    if (stored) checkTenant(own, stored, report);
    else report('one_event_per_change', 'the store has never heard of the session');
  }
  return violations;
}

function checkTenant(exchanges: readonly Exchange[], stored: StoredTenant, report: Report): void {
  checkAnswers(exchanges, report);
  checkReceipts(exchanges, report);
  checkChains(stored, report);
  checkNoGoAfterStop(exchanges, report);
  const placed = matchEvents(exchanges, stored, report);
  const { chain } = placed;
  checkRealTimeOrder(chain, report);
  const states = replay(placed, report);
  checkKeys(exchanges, { chain, states }, stored, report);
  const goes = chain.filter(({ event }) => event.event_type === 'context_rehydration');
  checkFencing(exchanges, goes, report);
  checkRows(stored, goes, report);
  checkKept(exchanges, stored, report);
}

/** The answers that the contract has for each request of a race. */
const statuses: Readonly<Record<Exchange['asked']['kind'], readonly number[]>> = {
  write: [200, 201, 409],
  reconcile: [200],
  seal: [200, 201, 409, 422],
  rehydrate: [200, 409, 422],
};

function checkAnswers(exchanges: readonly Exchange[], report: Report): void {
  for (const { asked, status, body } of exchanges) {
    const isKnown = statuses[asked.kind].includes(status);
    const isRefusedWrite = asked.kind === 'write' && status === 409;
    const isDecided = asked.kind !== 'rehydrate' || body['authorized'] === false;
    if (!isKnown || !isDecided || (isRefusedWrite && body['code'] !== 'stale_epoch')) {
      report('answers', `${asked.kind} was answered ${status} ${JSON.stringify(body)}`);
    }
  }
}

/** How far a receipt may be from the clients' clock, in seconds: a go may be repeated under its key for a while. */
const clockTolerance = 600;

function checkReceipts(exchanges: readonly Exchange[], report: Report): void {
  for (const { body, end } of exchanges) {
    const receipt = body['receipt'];
    if (typeof receipt !== 'string') continue;
    const { iat } = decodeJwt(receipt);
    const wanted = (performance.timeOrigin + end) / 1_000;
    if (iat === undefined || Math.abs(iat - wanted) > clockTolerance) {
      report('receipt_time', `a receipt of ${iat} was given at ${wanted}`);
    }
  }
}

/** Whoever is fenced off is told who holds the session, and since when, and not at which epoch. */
function checkFencing(exchanges: readonly Exchange[], goes: readonly Placed[], report: Report): void {
  for (const { asked, body, start, end } of exchanges) {
    if (body['code'] !== 'stale_epoch') continue;
    const epoch = goes.findIndex(({ event }) => event.occurred_at === body['held_since']) + 1;
    const holder = goes[epoch - 1];
    const runtimes = holder?.exchanges.map((go) => ('runtime_id' in go.asked ? go.asked.runtime_id : null));
    const acknowledged = goes.filter((go) => go.end < start).length;
    const begun = goes.filter((go) => go.start < end).length;
    if (
      'session_epoch' in body ||
      ('session_epoch' in asked && asked.session_epoch === epoch) ||
      !runtimes?.every((runtime) => runtime === body['held_by']) ||
      epoch < acknowledged ||
      epoch > begun
    ) {
      report('fencing', `${asked.kind} was told ${JSON.stringify(body)}`);
    }
  }
}

/** What the tables say is what the chains say. */
function checkRows(stored: StoredTenant, goes: readonly Placed[], report: Report): void {
  const { chain, tenantChain, head, revisions, decisions } = stored;
  const events = [...chain, ...tenantChain];
  if (head.session_epoch !== goes.length) {
    report('epoch_order', `the head says ${head.session_epoch} after ${goes.length} goes`);
  }
  for (const [kind, revision] of revisions) {
    const told = events
      .filter(({ payload }) => payload['kind'] === kind || (kind === 'side_effect' && 'outcome' in payload))
      .map(({ payload }) => Number(payload['revision']));
    // A batch of events is one change; of every other record each revision is one.
    const expected =
      kind === 'session_events' ? [revision] : Array.from({ length: revision }, (_, index) => index + 1);
    if (told.join() !== expected.join()) {
      report('one_event_per_change', `${kind} ${revision} is told as ${told.join()}`);
    }
  }
  const decided = events.filter(({ decision_id }) => decision_id !== null);
  const rows = new Map(decisions.map((row) => [row.decision_id, row.trace_event_id]));
  if (
    decided.length !== rows.size ||
    !decided.every(({ decision_id, event_id }) => rows.get(decision_id ?? '') === event_id)
  ) {
    report('one_event_per_change', `${rows.size} decisions have ${decided.length} events`);
  }
}

/** What was acknowledged and has a table of its own is there. */
function checkKept(
  exchanges: readonly Exchange[],
  { envelopes, reconciliations }: StoredTenant,
  report: Report,
): void {
  for (const { asked, status, body } of exchanges) {
    if (status >= 300) continue;
    if (asked.kind === 'seal' && !envelopes.includes(asked.envelope_id)) {
      report('kept', `the envelope ${asked.envelope_id} is gone`);
    }
    if (asked.kind === 'reconcile' && !reconciliations.includes(Number(body['revision']))) {
      report('kept', `the reconciliation ${String(body['revision'])} is gone`);
    }
  }
}

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
