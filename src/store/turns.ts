import { OverloadedError } from '../app/store-errors.js';

export interface TurnLimits {
  /** How many may wait for the same key; one more is turned away at once. */
  readonly maxWaiting: number;
  /** How long one waits for its turn, in milliseconds. */
  readonly patienceMs: number;
}

/** Lets work on the same key happen one after the other, in the order of arrival. Whoever waits holds nothing. */
export class Turns {
  readonly #limits: TurnLimits;
  /** Who waits, by key; a key with nobody at work is not in here. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Does the work when it is its turn. Throws `OverloadedError` if that is too far off, or doesn't come in time. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    await this.#wait(key);
    try {
      return await work();
    } finally {
      this.#pass(key);
    }
  }

  #wait(key: string): Promise<void> | undefined {
    const waiting = this.#waiting.get(key);
    if (!waiting) {
      this.#waiting.set(key, new Set());
      return undefined;
    }
    if (waiting.size >= this.#limits.maxWaiting) throw new OverloadedError();
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        waiting.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(new OverloadedError());
      }, this.#limits.patienceMs);
      waiting.add(begin);
    });
  }

  #pass(key: string): void {
    const [next] = this.#waiting.get(key) ?? [];
    if (next) next();
    else this.#waiting.delete(key);
  }
}
