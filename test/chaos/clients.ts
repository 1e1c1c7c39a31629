import { setTimeout as sleep } from 'node:timers/promises';

import type { Gate, Timed } from '../races/gates.js';
import type { Exchange } from '../races/history.js';
import { liveThrough } from '../races/life.js';

/** How long a request is repeated; longer than any fault lasts. */
const patience = 120_000;

/** The only answers that say that nothing is known, beside a connection that ends. */
const unavailable = ['governed_store_unavailable', 'overloaded'];

/** What a connection that ends without an answer ends with. */
const endings = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'];

/** Clients that live one session after the other, whatever happens, and record every answer. */
export class Clients {
  readonly exchanges: Exchange[] = [];
  /** Answers and errors that nobody may get, whatever happens. */
  readonly wrong: string[] = [];
  sessions = 0;
  /** Answers that say that the store is away, and connections that ended without one. */
  refused = 0;
  closed = 0;
  readonly #gates: readonly Gate[];
  readonly #lanes: Promise<void>[];
  #over = false;

  constructor(gates: readonly Gate[], lanes: number) {
    this.#gates = gates;
    this.#lanes = Array.from({ length: lanes }, () => this.#live());
    for (const lane of this.#lanes) lane.catch(() => undefined);
  }

  /** Returns when the sessions that are under way have come to their ends. */
  async finish(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#lanes);
  }

  async #live(): Promise<void> {
    while (!this.#over) {
      this.sessions += 1;
      const { exchanges } = await liveThrough(this.#gates, `s${this.sessions}`, (send) => this.#ask(send));
      this.exchanges.push(...exchanges);
    }
  }

  /** Asks until there is an answer that says what has happened; any of the requests may have made it happen. */
  async #ask(send: () => Promise<Timed>): Promise<Timed> {
    const start = performance.now();
    while (performance.now() - start < patience) {
      const timed = await send().catch((error: unknown) => {
        this.#countClosed(error);
        return undefined;
      });
      if (timed && timed.status !== 503) return { ...timed, start };
      if (timed) this.#countRefused(timed);
      await sleep(10 + Math.random() * 40);
    }
    throw new Error('There was no answer for two minutes');
  }

  #countRefused({ body }: Timed): void {
    this.refused += 1;
    const isStop = body['authorized'] === undefined || body['authorized'] === false;
    if (!isStop || !unavailable.includes(String(body['code']))) {
      this.wrong.push(`503 ${JSON.stringify(body)}`);
    }
  }

  #countClosed(error: unknown): void {
    this.closed += 1;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!endings.includes(code)) this.wrong.push(String(error));
  }
}
