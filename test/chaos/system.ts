import type { ChaosGate } from './chaos-gate.js';
import type { Fault, Weights } from './faults.js';

/** What faults happen to. */
export interface System<Kind extends string = string> {
  readonly name: string;
  readonly gates: readonly ChaosGate[];
  readonly weights: Weights<Kind>;
  /** Faults that can't be inflicted here. */
  readonly skipped: readonly Kind[];
  /** Gates that are to serve as soon as a fault is over. */
  readonly up: readonly ChaosGate[];
  /** What has gone wrong beside the answers. */
  readonly faulty: readonly string[];
  /** The store's, as its owner, with nothing in between. */
  readonly connectionString: string;
  /** Returns when the fault is over. */
  inflict(fault: Fault<Kind>): Promise<void>;
  /** Returns when everything is started that is to be started again. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}
