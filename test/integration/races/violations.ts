/** The promises that the checker holds a history to. */
export const promises = {
  answers: 'every answer is one of those that the contract has for the request, and none is a 5xx',
  broken_chain: 'every chain is intact: sequences without a gap, digests that can be recomputed',
  told: 'whoever has changed something, or had it decided, was told so',
  one_event_per_change: 'every acknowledged change and decision has one event',
  chain_order: 'every decision finds what the events before it in the chain have left',
  record_revisions: 'a decision reads no older revision than was acknowledged before it began',
  epoch_order: 'the epochs of goes are 1, 2, 3, … in the order of the chain',
  real_time_order: 'what began after something was acknowledged stands behind it in the chain',
  go_after_stop: 'no go to a request that began after a stopping change was acknowledged',
  stale_repeat: 'a repeated key gives a go only while it is current, and a stop as it was',
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
