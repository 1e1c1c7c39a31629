import type { RecordName } from '../support/records.js';
import type { Timed } from './gates.js';

/** What was asked, as far as the rules care. */
export type Asked =
  | {
      readonly kind: 'write';
      readonly record: RecordName | 'session_events';
      /** The status or version that the record says from then on; empty where no rule of these tests reads it. */
      readonly value: string;
      readonly session_epoch?: number | undefined;
    }
  | { readonly kind: 'reconcile'; readonly value: string }
  | { readonly kind: 'seal'; readonly envelope_id: string; readonly session_epoch: number }
  | RehydrationAsked;

export interface RehydrationAsked {
  readonly kind: 'rehydrate';
  readonly envelope_id: string;
  readonly runtime_id: string;
  readonly session_epoch?: number | undefined;
  readonly idempotency_key?: string | undefined;
}

/** One request of a session's history, with its answer. */
export interface Exchange extends Timed {
  readonly tenant_id: string;
  readonly asked: Asked;
}

export type Resumption = Exchange & { readonly asked: RehydrationAsked };

export function isResumption(exchange: Exchange): exchange is Resumption {
  return exchange.asked.kind === 'rehydrate';
}

/** The promises that the checker holds a history to. */
export const promises = {
  answers: 'every answer is one of those that the contract has for the request, and none is a 5xx',
  broken_chain: 'every chain is intact: sequences without a gap, digests that can be recomputed',
  told: 'whoever has changed something, or had it decided, was told so',
  one_event_per_change: 'every acknowledged change and decision has one event',
  kept: 'every acknowledged envelope and reconciliation is in its table',
  chain_order: 'every decision finds what the events before it in the chain have left',
  record_revisions: 'a decision reads no older revision than was acknowledged before it began',
  epoch_order: 'the epochs of goes are 1, 2, 3, … in the order of the chain',
  real_time_order: 'what began after something was acknowledged stands behind it in the chain',
  go_after_stop: 'no go to a request that began after a stopping change was acknowledged',
  stale_repeat: 'a repeated key gives a go only while it is current, and a stop as it was',
  receipt_time: 'a receipt is of the time that it was given at, whatever the clock of the gate says',
  fencing: 'whoever is fenced off is told who holds the session, and since when',
} as const;

export type PromiseName = keyof typeof promises;

/** One broken promise. */
export interface Violation {
  readonly promise: PromiseName;
  readonly tenant_id: string;
  readonly detail: string;
}

/** Takes note of violations of one tenant. */
export type Report = (promise: PromiseName, detail: string) => void;

/** The items by what they have in common, each group in the order of the items. */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
