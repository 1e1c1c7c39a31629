import { Type, type Static } from '@sinclair/typebox';

import { parseControlState, type AttestedControlState } from './control-state.js';
import { summaryDigest } from './digest.js';
import { SourceEventRange, type ContinuityEnvelope, type InspectedEnvelope } from './envelope.js';
import {
  bodyPlace,
  openObject,
  placeOf,
  readCount,
  readObjects,
  readString,
  readStrings,
  refuse,
  type Fields,
} from './fields.js';
import { ContinuityFormatError } from './format-error.js';
import { parseEnvelope, parseInspectedEnvelope, readSourceEventRange } from './parse-envelope.js';
import { identifier, identifierList, listMaxItems } from './schemas.js';
import { trimWhiteSpace } from './text.js';
import { parseTimestamp, type Instant } from './time.js';

/**
 * The bodies of the three decision routes. A parser takes the digest of the summary and leaves its text behind: no
 * parsed request holds it.
 */

const summary = Type.String({
  description: 'The compacted summary: untrusted, hashed, and neither stored nor logged.',
  minLength: 1,
  examples: ['Resolve the ticket without a duplicate; the last write timed out.'],
});

const sessionEpoch = Type.Integer({
  description: 'Epoch of the session as the caller knows it: how many times it has been rehydrated.',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  examples: [1],
});

/** Something that no longer binds the session, and the evidence for it. */
const Release = Type.Object(
  {
    ref: identifier('Constraint reference or obligation id that is released.', {
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
    continuity_envelope: Type.Ref('ContinuityEnvelope#'),
    summary: Type.Optional(summary),
    session_epoch: Type.Optional(sessionEpoch),
    released: Type.Optional(
      Type.Array(Release, {
        description: 'What an attested session no longer has to carry on from its previous envelope.',
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
    source_event_range: Type.Optional(SourceEventRange),
    session_epoch: Type.Optional(sessionEpoch),
    runtime_id: Type.Optional(
      identifier("Runtime that will hold the session; the token's subject if absent.", {
        examples: ['runtime-eu-7'],
      }),
    ),
    current_state: Type.Optional(Type.Ref('AttestedControlState#')),
  },
  { $id: 'RehydrateRequestBody', title: 'RehydrateRequestBody', additionalProperties: false },
);

/** Body of `POST /inspect-continuity`. */
export const InspectRequestBody = Type.Object(
  {
    continuity_envelope: Type.Ref('InspectedEnvelope#'),
    current_state: Type.Ref('AttestedControlState#'),
    summary,
    now: Type.Optional(
      Type.String({
        description: 'Moment to decide at: RFC 3339 with an offset. The present if absent.',
        format: 'date-time',
        examples: ['2026-07-21T17:00:00Z'],
      }),
    ),
  },
  { $id: 'InspectRequestBody', title: 'InspectRequestBody', additionalProperties: false },
);

export interface SealRequest {
  continuity_envelope: ContinuityEnvelope;
  /** Digest of the presented summary, if one was presented. */
  summary_sha256?: string;
  session_epoch?: number;
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

/** Parses the body of `POST /envelopes`. Throws `ContinuityFormatError` for the first violated rule. */
export function parseSealRequest(body: unknown): SealRequest {
  const fields = openBody(body, SealRequestBody);
  const { values } = fields;
  return {
    continuity_envelope: parseEnvelope(values.get('continuity_envelope')),
    ...(values.has('summary') && { summary_sha256: readSummaryDigest(fields) }),
    ...(values.has('session_epoch') && { session_epoch: readCount(fields, 'session_epoch') }),
    ...(values.has('released') && { released: readReleased(fields) }),
  };
}

/** Parses the body of `POST /rehydrate`. Throws `ContinuityFormatError` for the first violated rule. */
export function parseRehydrateRequest(body: unknown): RehydrateRequest {
  const fields = openBody(body, RehydrateRequestBody);
  const { values } = fields;
  const read = (key: RehydrateString) => readString(fields, key, RehydrateRequestBody.properties[key]);
  return {
    envelope_id: read('envelope_id'),
    tenant_id: read('tenant_id'),
    principal_id: read('principal_id'),
    session_id: read('session_id'),
    trace_id: read('trace_id'),
    summary_sha256: readSummaryDigest(fields),
    // Attested state comes without an event log: the presented range is what the lineage is checked against.
    ...((values.has('source_event_range') || values.has('current_state')) && {
      source_event_range: readSourceEventRange(fields),
    }),
    ...(values.has('session_epoch') && { session_epoch: readCount(fields, 'session_epoch') }),
    ...(values.has('runtime_id') && { runtime_id: read('runtime_id') }),
    ...(values.has('current_state') && { current_state: parseControlState(values.get('current_state')) }),
  };
}

/** Parses the body of `POST /inspect-continuity`. Throws `ContinuityFormatError` for the first violated rule. */
export function parseInspectRequest(body: unknown): InspectRequest {
  const fields = openBody(body, InspectRequestBody);
  const { values } = fields;
  return {
    continuity_envelope: parseInspectedEnvelope(values.get('continuity_envelope')),
    current_state: parseControlState(values.get('current_state')),
    ...(values.has('now') && { now: readNow(fields) }),
    summary_sha256: readSummaryDigest(fields),
  };
}

type RehydrateString =
  'envelope_id' | 'tenant_id' | 'principal_id' | 'session_id' | 'trace_id' | 'runtime_id';

function openBody(body: unknown, schema: Parameters<typeof openObject>[2]): Fields {
  return openObject(body, bodyPlace, schema, 'Continuity request must be an object');
}

function readSummaryDigest(fields: Fields): string {
  const place = placeOf(fields, 'summary');
  const text = fields.values.get('summary');
  if (text === undefined) refuse('is required', place);
  if (typeof text !== 'string') refuse('must be a string', place);
  if (!text.isWellFormed()) refuse('has a character that is not allowed', place);
  if (trimWhiteSpace(text) === '') refuse('is required', place);
  return summaryDigest(text);
}

function readReleased(fields: Fields): Release[] {
  const { ref, evidence_refs } = Release.properties;
  return readObjects(fields, 'released', SealRequestBody.properties.released, (release) => ({
    ref: readString(release, 'ref', ref),
    evidence_refs: readStrings(release, 'evidence_refs', evidence_refs),
  }));
}

function readNow(fields: Fields): Instant {
  const text = fields.values.get('now');
  const instant = typeof text === 'string' ? parseTimestamp(trimWhiteSpace(text)) : 'invalid';
  const { pointer } = placeOf(fields, 'now');
  if (instant === 'invalid') {
    throw new ContinuityFormatError('Continuity validation time must be a datetime', pointer);
  }
  if (instant === 'no_offset') {
    throw new ContinuityFormatError('Continuity validation time must include a timezone', pointer);
  }
  return instant;
}
