import { Type, type Static } from '@sinclair/typebox';

import { canonicalJson, sha256Hex } from './digest.js';
import { nullable } from './schemas.js';
import { traceEventSchemaVersion, traceEventTypes, type TraceEventType } from './vocabulary.js';

/** Where a chain begins: what the first event names as its predecessor. */
export const chainStart = '0'.repeat(64);

/** One fact of the trace, as it is stored, returned and hashed. */
export const TraceEvent = Type.Object(
  {
    event_id: Type.String({
      format: 'uuid',
      description: 'Id of the event; UUIDs of version 7 sort by time.',
    }),
    event_type: Type.Unsafe<TraceEventType>({
      type: 'string',
      enum: [...traceEventTypes],
      description: 'What happened.',
    }),
    schema_version: Type.String({ description: 'Version of this schema.' }),
    occurred_at: Type.String({
      format: 'date-time',
      description: "When, by the database's clock: UTC with six fraction digits.",
    }),
    tenant_id: Type.String({ description: 'Tenant that the event belongs to.' }),
    session_id: nullable(Type.String({ description: 'Session that the event belongs to, if any.' })),
    principal_id: nullable(Type.String({ description: 'Principal that was spoken for, if any.' })),
    actor: Type.String({ description: "Who called: the token's subject, or `open`." }),
    trace_id: nullable(Type.String({ description: 'Trace of the run that called, if any.' })),
    span_id: nullable(Type.String({ description: 'Span of the call, if any.' })),
    envelope_id: nullable(Type.String({ description: 'Envelope concerned, if any.' })),
    decision_id: nullable(Type.String({ description: 'Decision concerned, if any.' })),
    status: nullable(Type.String({ description: 'Status of the decision, if any.' })),
    reason: nullable(Type.String({ description: 'Reason code of the decision, if any.' })),
    payload: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What the event says beyond its columns: identifiers, versions, statuses and digests.',
    }),
    sequence: Type.Integer({
      minimum: 1,
      description: 'Place in the chain of its session, or of its tenant.',
    }),
    previous_sha256: Type.String({ description: "The previous event's digest; zeros for the first." }),
    event_sha256: Type.String({
      description: 'SHA-256, in hex, of the RFC 8785 canonical JSON of this event without this field.',
    }),
  },
  { $id: 'TraceEvent', title: 'TraceEvent', additionalProperties: false },
);
export type TraceEvent = Static<typeof TraceEvent>;

/** The end of a chain: what the next event links to. */
export interface ChainTip {
  readonly sequence: number;
  readonly sha256: string;
}

/** An event before it has a place in a chain. */
export type UnchainedEvent = Omit<
  TraceEvent,
  'schema_version' | 'sequence' | 'previous_sha256' | 'event_sha256'
>;

/** What an event may be about beside its tenant and session. */
export type EventSubject = Pick<
  UnchainedEvent,
  'principal_id' | 'trace_id' | 'span_id' | 'envelope_id' | 'decision_id' | 'status' | 'reason'
>;

/** The subject of an event that is about nothing but its tenant or session. */
export const noSubject: EventSubject = {
  principal_id: null,
  trace_id: null,
  span_id: null,
  envelope_id: null,
  decision_id: null,
  status: null,
  reason: null,
};

/** Gives an event its place behind the tip, and its digest. */
export function chainEvent(event: UnchainedEvent, tip: ChainTip): TraceEvent {
  const linked = {
    ...event,
    schema_version: traceEventSchemaVersion,
    sequence: tip.sequence + 1,
    previous_sha256: tip.sha256,
  };
  return { ...linked, event_sha256: eventDigest(linked) };
}

/** The digest of an event as `/trace-events` returns it, whether its own digest is on it already or not. */
export function eventDigest(event: Omit<TraceEvent, 'event_sha256'>): string {
  return sha256Hex(canonicalJson({ ...event, event_sha256: undefined }));
}
