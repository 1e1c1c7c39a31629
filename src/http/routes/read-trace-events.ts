import { Type } from '@sinclair/typebox';
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';

import { readTrace } from '../../app/read.js';
import type { Store } from '../../app/store.js';
import { traceEventTypes, type TraceEventType } from '../../domain/vocabulary.js';
import { tenantToRead } from '../auth/claims.js';
import { traceEventExample } from '../openapi/examples.js';
import { commonProblems, jsonResponse, mergeResponses, problemResponses } from '../openapi/responses.js';
import { idParameter, momentInUtc, tenantQuery, timeParameter } from '../parameters.js';
import { decodeCursor, encodeCursor, limitQuery } from '../paging.js';

/** `GET /trace-events`. */
export const readTraceEventsRoute: FastifyPluginCallbackTypebox<{ database: Store }> = (
  app,
  { database },
  done,
) => {
  app.get('/trace-events', { schema, config: { access: ['trace:read'] } }, async (request) => {
    const { caller, query } = request;
    const { limit = 100, cursor, tenant_id, from, to, ...filter } = query;
    const after = cursor === undefined ? null : decodeCursor(cursor);
    const { events, next } = await readTrace(
      database,
      caller,
      {
        ...filter,
        tenant_id: tenantToRead(caller, tenant_id),
        from: momentInUtc(from),
        to: momentInUtc(to),
      },
      { limit, after },
    );
    return { events, next_cursor: next && encodeCursor(next) };
  });
  done();
};

const schema = {
  operationId: 'readTraceEvents',
  tags: ['evidence'],
  summary: 'Read trace events',
  description:
    'Oldest first. An event whose transaction began before one that is still open is returned once that has ended: late, but never skipped. Follow `next_cursor` until it is null.',
  querystring: Type.Object(
    {
      tenant_id: Type.Optional(tenantQuery),
      session_id: Type.Optional(idParameter('Only events of this session.', 'session-support-001')),
      envelope_id: Type.Optional(idParameter('Only events of this envelope.', 'ce-2026-07-21-001')),
      trace_id: Type.Optional(idParameter('Only events of this trace.', 'trace-support-042')),
      event_type: Type.Optional(
        Type.Union(
          traceEventTypes.map((type) => Type.Literal<TraceEventType>(type)),
          { description: 'Only events of this type.' },
        ),
      ),
      reason: Type.Optional(idParameter('Only events with this reason.', 'unknown_side_effect')),
      from: Type.Optional(timeParameter('Only events at or after this moment.')),
      to: Type.Optional(timeParameter('Only events before this moment.')),
      limit: limitQuery,
      cursor: Type.Optional(
        Type.String({ maxLength: 100, description: "The previous page's `next_cursor`." }),
      ),
    },
    { additionalProperties: false },
  ),
  response: mergeResponses(
    {
      200: jsonResponse('A page of events.', Type.Ref('TraceEventPage#'), {
        page: {
          summary: 'The event of a sealed envelope',
          value: { events: [traceEventExample], next_cursor: null },
        },
      }),
    },
    problemResponses('schema_invalid', 'unauthenticated', 'forbidden', ...commonProblems),
  ),
};
