import type { RecordName } from '../../support/records.js';
import type { Timed } from './client.js';

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
