import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { Decision } from '../domain/decide.js';
import type { Phase } from '../domain/vocabulary.js';

/** How the store is doing, as far as the service sees it. */
export interface StoreGauges {
  /** Connections in the pool, those of them that are idle, and requests that wait for one. */
  readonly connections: { readonly total: number; readonly idle: number; readonly waiting: number };
  /** Side effects of all tenants whose outcome is unknown, and for how many seconds the oldest has been. */
  unresolvedEffects(): Promise<{ readonly count: number; readonly oldestSeconds: number }>;
}

/**
 * What the service measures of itself. Every label takes its values from a list that callers can't make longer: routes by
 * their pattern, statuses and reasons from the vocabulary.
 */
export interface Metrics {
  /** Counts a decision. */
  readonly decided: (phase: Phase, decision: Pick<Decision, 'status' | 'reason'>) => void;
  /** Takes the time of an answer, in seconds. */
  readonly answered: (request: { method: string; route: string; status: number }, seconds: number) => void;
  /** Takes the time of a transaction, in seconds. */
  readonly transacted: (outcome: 'committed' | 'failed', seconds: number) => void;
  /** Counts a caller that was turned away. */
  readonly refused: (code: string) => void;
  /** Counts a chain of events that was found broken. */
  readonly chainBroken: () => void;
  /** Counts a write that a rule of the store refused, by the store's word for the kind of rule. */
  readonly ruleBroken: (rule: string) => void;
  /** Everything in the text format of Prometheus, and its media type. */
  readonly expose: () => Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Latencies of interest lie between one round trip to the store and its time-outs. */
const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Registers the metrics of one service; `store` is asked whenever they are read. */
export function createMetrics(store: StoreGauges): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const decisions = new Counter({
    name: 'continuity_gate_decisions_total',
    help: 'Decisions by phase, status and reason.',
    labelNames: ['phase', 'status', 'reason'] as const,
    registers,
  });
  const answers = new Histogram({
    name: 'continuity_gate_http_request_duration_seconds',
    help: 'Time to answer, by method, route pattern and HTTP status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: latencyBuckets,
    registers,
  });
  const transactions = new Histogram({
    name: 'continuity_gate_store_transaction_duration_seconds',
    help: 'Time of a transaction of the governed store, with the wait for a connection.',
    labelNames: ['outcome'] as const,
    buckets: latencyBuckets,
    registers,
  });
  const refusals = new Counter({
    name: 'continuity_gate_refused_callers_total',
    help: 'Callers that were turned away, by error code.',
    labelNames: ['code'] as const,
    registers,
  });
  const brokenChains = new Counter({
    name: 'continuity_gate_broken_chains_total',
    help: 'Verifications that found a chain of trace events broken.',
    registers,
  });
  const brokenRules = new Counter({
    name: 'continuity_gate_broken_rules_total',
    help: 'Writes of the gate that a rule of the governed store refused, by SQLSTATE. Each is a bug.',
    labelNames: ['sqlstate'] as const,
    registers,
  });
  registerStoreGauges(store, registers);
  return {
    decided: (phase, { status, reason }) => {
      decisions.inc({ phase, status, reason });
    },
    answered: ({ method, route, status }, seconds) => {
      answers.observe({ method, route, status }, seconds);
    },
    transacted: (outcome, seconds) => {
      transactions.observe({ outcome }, seconds);
    },
    refused: (code) => {
      refusals.inc({ code });
    },
    chainBroken: () => {
      brokenChains.inc();
    },
    ruleBroken: (sqlstate) => {
      brokenRules.inc({ sqlstate });
    },
    expose: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function registerStoreGauges(store: StoreGauges, registers: Registry[]): void {
  new Gauge({
    name: 'continuity_gate_store_connections',
    help: 'Connections to the governed store, and requests that wait for one.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { total, idle, waiting } = store.connections;
      this.set({ state: 'busy' }, total - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  const oldest = new Gauge({
    name: 'continuity_gate_oldest_unresolved_effect_seconds',
    help: 'For how long the oldest side effect has been unknown; absent while the store does not answer.',
    registers,
  });
  new Gauge({
    name: 'continuity_gate_unresolved_effects',
    help: 'Side effects whose outcome is unknown; absent while the store does not answer.',
    registers,
    async collect() {
      try {
        const { count, oldestSeconds } = await store.unresolvedEffects();
        this.set(count);
        oldest.set(oldestSeconds);
      } catch {
        // A number that is no longer true is worse than none.
        this.remove();
        oldest.remove();
      }
    },
  });
}
