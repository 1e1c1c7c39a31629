import { createRemoteJWKSet } from 'jose';

import type { Go, ResumeAnswer, SealAnswer } from './answers.js';
import { guardedStore, memoryEpochStore, type EpochStore } from './epochs.js';
import { requireHeld } from './guard-tool.js';
import {
  appendEvents,
  backlog,
  settle,
  timeline,
  verifyTrace,
  writeRecord,
  type RecordWrite,
} from './records.js';
import { resume, type Asker, type Granted, type ResumeRequest } from './resume.js';
import { seal, type SealRequest } from './seal.js';
import { gateApi, type GateApi, type TransportOptions } from './transport.js';
import type { ReceiptRules } from './verify-receipt.js';
import type { Schemas, SessionEvent, SessionRef, Settlement } from './wire.js';

export interface GateOptions extends TransportOptions {
  /** Where epochs are kept; in memory, if it doesn't say. */
  readonly epochs?: EpochStore;
  /**
   * The keys of receipts, from a place that is trusted: jose's `createLocalJWKSet` pins them. If it doesn't say, they are
   * fetched from the gate, which protects no more than the connection does.
   */
  readonly keys?: ReceiptRules['keys'];
  /** The gate's `RECEIPT_ISSUER`. */
  readonly issuer?: string;
}

/** The gate as a runtime sees it. */
export interface Gate {
  /** Before the context is given up. */
  seal(request: SealRequest): Promise<SealAnswer>;
  /** Before the run goes on. */
  resume(request: ResumeRequest): Promise<ResumeAnswer>;
  /**
   * A tool that is called only while the go holds: before each call the gate is asked who holds the session, and the
   * receipt is verified against that. Otherwise it rejects with `ToolRefusedError`. Whether the call is allowed is still
   * the policy decision point's to say.
   */
  guardTool<Args extends unknown[], Result>(
    tool: (...args: Args) => Result | Promise<Result>,
    go: Go | (() => Go | undefined),
  ): (...args: Args) => Promise<Result>;
  writeRecord(tenant_id: string, write: RecordWrite): Promise<void>;
  appendEvents(session: SessionRef, events: readonly SessionEvent[]): Promise<Schemas['AppendedEvents']>;
  backlog(tenant_id: string): Promise<Schemas['ReconciliationQueue']>;
  settle(
    effect: { readonly tenant_id: string; readonly idempotency_key: string },
    settlement: Settlement,
  ): Promise<Schemas['SideEffectRecord']>;
  timeline(session: SessionRef, after?: number): Promise<Schemas['Timeline']>;
  verifyTrace(session: SessionRef): Promise<Schemas['TraceIntegrity']>;
  /** Every other call of the API, by its path. */
  readonly api: GateApi;
}

/** Connects to a gate; nothing is sent yet. */
export function connectGate(options: GateOptions): Gate {
  const asker = askerOf(options);
  const { api } = asker;
  const granted = new WeakMap<Go, Granted>();

  return {
    api,
    seal: (request) => seal(asker, request),
    resume: async (request) => {
      const answer = await resume(asker, request);
      if (!('go' in answer)) return answer;
      granted.set(answer.go, answer);
      return answer.go;
    },
    guardTool:
      (tool, holder) =>
      async (...args) => {
        const go = typeof holder === 'function' ? holder() : holder;
        const held = await requireHeld(asker, go && granted.get(go));
        if (go) granted.set(go, held);
        return await tool(...args);
      },
    writeRecord: (tenant_id, write) => writeRecord(api, tenant_id, write),
    appendEvents: (session, events) => appendEvents(api, session, events),
    backlog: (tenant_id) => backlog(api, tenant_id),
    settle: (effect, settlement) => settle(api, effect, settlement),
    timeline: (session, after) => timeline(api, session, after),
    verifyTrace: (session) => verifyTrace(api, session),
  };
}

/** What asking needs, with its defaults. */
export function askerOf(options: GateOptions): Asker {
  const { url, epochs = memoryEpochStore(), issuer = 'continuity-gate' } = options;
  const keys = options.keys ?? createRemoteJWKSet(new URL('/.well-known/jwks.json', url));
  return { api: gateApi(options), epochs: guardedStore(epochs), receipts: { keys, issuer } };
}
