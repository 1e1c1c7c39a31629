import { OverloadedError, StoreUnavailableError } from '../app/store-errors.js';

export interface GathererLimits {
  /** How many are worked on together at most. */
  readonly batchSize: number;
  /** How many batches are at work at the same time. */
  readonly batches: number;
  /** How many may wait to be worked on; one more is turned away at once. */
  readonly maxWaiting: number;
  /** How long one waits to be worked on, in milliseconds. */
  readonly patienceMs: number;
}

/**
 * Works on what comes together, together: while all batches are at work, whoever comes waits for the next one and shares
 * it. One that comes alone goes alone, and at once. `workOn` settles every member of its batch, and never fails.
 */
export class Gatherer<Member> {
  readonly #limits: GathererLimits;
  readonly #workOn: (members: Member[]) => Promise<void>;
  /** Who waits, in the order of arrival, each with the end of its patience. */
  readonly #waiting = new Map<Member, NodeJS.Timeout>();
  #atWork = 0;
  #isDue = false;

  constructor(limits: GathererLimits, workOn: (members: Member[]) => Promise<void>) {
    this.#limits = limits;
    this.#workOn = workOn;
  }

  /** Adds a member. `turnAway` is called if too many wait before it, or none of the batches ends in time. */
  add(member: Member, turnAway: (error: Error) => void): void {
    const { maxWaiting, patienceMs } = this.#limits;
    if (this.#waiting.size >= maxWaiting) {
      turnAway(new OverloadedError());
      return;
    }
    const patience = setTimeout(() => {
      this.#waiting.delete(member);
      turnAway(new StoreUnavailableError(new Error('No batch ended in time')));
    }, patienceMs);
    this.#waiting.set(member, patience);
    this.#goSoon();
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Goes when everything that has arrived by now was read. */
  #goSoon(): void {
    if (this.#isDue || this.#atWork >= this.#limits.batches || this.#waiting.size === 0) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#go(this.#nextBatch());
    });
  }

  #nextBatch(): Member[] {
    const batch: Member[] = [];
    for (const [member, patience] of this.#waiting) {
      if (batch.length === this.#limits.batchSize) break;
      clearTimeout(patience);
      this.#waiting.delete(member);
      batch.push(member);
    }
    return batch;
  }

  #go(batch: Member[]): void {
    if (batch.length === 0) return;
    this.#atWork += 1;
    void this.#workOn(batch).finally(() => {
      this.#atWork -= 1;
      this.#goSoon();
    });
    this.#goSoon();
  }
}
