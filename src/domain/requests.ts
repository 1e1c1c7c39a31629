import { Type, type Static } from '@sinclair/typebox';

import { AttestedControlState } from './control-state.js';
import { summaryDigest } from './digest.js';
import { SourceEventRange } from './envelope/source-event-range.js';
import { ContinuityEnvelope, InspectedEnvelope } from './envelope/v1.js';
import { readerOf } from './reader/reader.js';
import { readAs, referenceTo } from './reader/reading.js';
import { identifier, identifierList, listMaxItems } from './schemas.js';
import { readInstant, type Instant } from './time.js';

/**
 * The bodies of the three decision routes, their fields in the order in which they are checked. A parser takes the digest of the summary and leaves its text behind: no
 * parsed request holds it.
 */

const summary = readAs(
  Type.String({
    description: 'The compacted summary: untrusted, hashed, and neither stored nor logged.',
    minLength: 1,
    examples: ['Resolve the ticket without a duplicate; the last write timed out.'],
  }),
  { anyCharacter: true },
);

const sessionEpoch = Type.Integer({
  description: 'Epoch of the session as the caller knows it: how many times it has been rehydrated.',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  examples: [1],
});

const moment = readAs(
  Type.String({
    description: 'Moment to decide at: RFC 3339 with an offset. The present if absent.',
    format: 'date-time',
    examples: ['2026-07-21T17:00:00Z'],
  }),
  {
    malformed: 'Continuity validation time must be a datetime',
    withoutOffset: 'Continuity validation time must include a timezone',
  },
);

/** Something that no longer binds the session, and the evidence for it. */
const Release = Type.Object(
  {
    ref: identifier('Constraint reference, obligation id or idempotency key that is released.', {
      examples: ['reconcile_ticket_write'],
    }),
    evidence_refs: identifierList(
      'What shows that it no longer binds.',
      'Reference of a piece of evidence.',
      {
        minItems: 1,
        examples: [['trace:trace-support-042']],
      },
    ),
  },
  { additionalProperties: false },
);
export type Release = Static<typeof Release>;

/** Body of `POST /envelopes`. */
export const SealRequestBody = Type.Object(
  {
    continuity_envelope: referenceTo(ContinuityEnvelope),
    summary: Type.Optional(summary),
    session_epoch: Type.Optional(sessionEpoch),
    decision_id: Type.Optional(
      identifier(
        'Decision id of the go that the run holds. Once the session was resumed, an epoch alone seals only for the token subject that got the go.',
        { examples: ['0198c7a4-2f4e-7c3a-9d51-6f0e8b7a1c22'] },
      ),
    ),
    released: Type.Optional(
      Type.Array(Release, {
        description:
          'What an attested session no longer has to carry on from its previous envelope, an effect by its idempotency key.',
        maxItems: listMaxItems,
      }),
    ),
  },
  { $id: 'SealRequestBody', title: 'SealRequestBody', additionalProperties: false },
);

/** Body of `POST /rehydrate`. */
export const RehydrateRequestBody = Type.Object(
  {
    envelope_id: identifier('Envelope to resume from.', { examples: ['ce-2026-07-21-001'] }),
    tenant_id: identifier('Tenant that the envelope is looked up under.', { examples: ['tenant-acme'] }),
    principal_id: identifier('Principal that resumes.', { examples: ['user-42'] }),
    session_id: identifier('Session that is resumed.', { examples: ['session-support-001'] }),
    trace_id: identifier("The resuming run's trace.", { examples: ['trace-support-043'] }),
    summary,
    // Attested state comes without an event log: the presented range is what the lineage is checked against.
    source_event_range: readAs(Type.Optional(SourceEventRange), { requiredWith: 'current_state' }),
    session_epoch: Type.Optional(sessionEpoch),
    runtime_id: Type.Optional(
      identifier("Runtime that will hold the session; the token's subject if absent.", {
        examples: ['runtime-eu-7'],
      }),
    ),
    current_state: Type.Optional(referenceTo(AttestedControlState)),
  },
  { $id: 'RehydrateRequestBody', title: 'RehydrateRequestBody', additionalProperties: false },
);

/** Body of `POST /inspect-continuity`. */
export const InspectRequestBody = Type.Object(
  {
    continuity_envelope: referenceTo(InspectedEnvelope),
    current_state: referenceTo(AttestedControlState),
    now: Type.Optional(moment),
    summary,
  },
  { $id: 'InspectRequestBody', title: 'InspectRequestBody', additionalProperties: false },
);

export interface SealRequest {
  continuity_envelope: ContinuityEnvelope;
  /** Digest of the presented summary, if one was presented. */
  summary_sha256?: string;
  session_epoch?: number;
  /** The go that the run holds. */
  decision_id?: string;
  released?: Release[];
}

export interface RehydrateRequest {
  envelope_id: string;
  tenant_id: string;
  principal_id: string;
  session_id: string;
  trace_id: string;
  /** Digest of the presented summary. */
  summary_sha256: string;
  /** There whenever `current_state` is. */
  source_event_range?: SourceEventRange;
  session_epoch?: number;
  runtime_id?: string;
  current_state?: AttestedControlState;
}

export interface InspectRequest {
  continuity_envelope: InspectedEnvelope;
  current_state: AttestedControlState;
  now?: Instant;
  /** Digest of the presented summary. */
  summary_sha256: string;
}

const readSealBody = readerOf(SealRequestBody);
const readRehydrateBody = readerOf(RehydrateRequestBody);
const readInspectBody = readerOf(InspectRequestBody);

/** Parses the body of `POST /envelopes`. Throws `ContinuityFormatError` with all that is wrong. */
export function parseSealRequest(body: unknown): SealRequest {
  const { summary, ...request } = readSealBody(body);
  return { ...request, ...(summary !== undefined && { summary_sha256: summaryDigest(summary) }) };
}

/** Parses the body of `POST /rehydrate`. Throws `ContinuityFormatError` with all that is wrong. */
export function parseRehydrateRequest(body: unknown): RehydrateRequest {
  const { summary, ...request } = readRehydrateBody(body);
  return { ...request, summary_sha256: summaryDigest(summary) };
}

/** Parses the body of `POST /inspect-continuity`. Throws `ContinuityFormatError` with all that is wrong. */
export function parseInspectRequest(body: unknown): InspectRequest {
  const { summary, now, ...request } = readInspectBody(body);
  return {
    ...request,
    ...(now !== undefined && { now: readInstant(now) }),
    summary_sha256: summaryDigest(summary),
  };
}
