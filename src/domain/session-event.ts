import { Type, type Static } from '@sinclair/typebox';

import { canonicalJson, sha256Hex } from './digest.js';
import { readerOf } from './reader/reader.js';
import { identifier, listMaxItems } from './schemas.js';

/** One event of a session's log, as the session log sends it. */
export const SessionEvent = Type.Object(
  {
    event_id: identifier('Id of the event, unique within its session.', { examples: ['event-0142'] }),
    event_type: identifier('What kind of event it is.', { examples: ['tool_call'] }),
    content_sha256: identifier('Digest of its content, which the gate never sees.', {
      examples: ['sha256:event-content'],
    }),
    occurred_at: Type.Optional(
      identifier('When it happened: RFC 3339 with an offset.', {
        format: 'date-time',
        examples: ['2026-07-21T16:58:00Z'],
      }),
    ),
  },
  { additionalProperties: false },
);
export type SessionEvent = Static<typeof SessionEvent>;

/** Body of `POST …/sessions/{session_id}/events`. */
export const AppendEventsBody = Type.Object(
  {
    events: Type.Array(SessionEvent, {
      minItems: 1,
      maxItems: listMaxItems,
      description: 'The events in their order; all of them are appended, or none.',
    }),
  },
  { $id: 'AppendEventsBody', title: 'AppendEventsBody', additionalProperties: false },
);

/** An event with its place in the log. */
export interface LoggedEvent extends SessionEvent {
  /** From 1, without gaps. */
  readonly sequence: number;
  /** Running digest over the log up to and with this event, in hex. */
  readonly lineage_sha256: string;
}

const readAppendEvents = readerOf(AppendEventsBody);

/** Parses the body of `POST …/events`. Throws `ContinuityFormatError` with all that is wrong. */
export function parseAppendEvents(body: unknown): SessionEvent[] {
  return readAppendEvents(body).events;
}

/** Gives an event its place behind the end of the log. */
export function chainSessionEvent(
  event: SessionEvent,
  end: { readonly sequence: number; readonly sha256: string },
): LoggedEvent {
  const sequence = end.sequence + 1;
  const { event_id, event_type, content_sha256 } = event;
  const digested = { previous: end.sha256, sequence, event_id, event_type, content_sha256 };
  return { ...event, sequence, lineage_sha256: sha256Hex(canonicalJson(digested)) };
}
