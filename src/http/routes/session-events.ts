import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';

import { appendEvents } from '../../app/append-events.js';
import { mayTouchTenant } from '../../app/caller.js';
import { readSessionEvents } from '../../app/read.js';
import type { Store } from '../../app/store.js';
import { parseAppendEvents } from '../../domain/session-event.js';
import { notOfThePrincipals, requireTenant } from '../auth/claims.js';
import { loggedEventExamples, sessionEventExamples } from '../openapi/examples.js';
import {
  bodyProblems,
  commonProblems,
  documentedBody,
  jsonResponse,
  mergeResponses,
  problemResponses,
} from '../openapi/responses.js';
import { readSessionPath, sessionParams } from '../parameters.js';
import { Problem, problems } from '../problems.js';
import { sequencePage, sequencePageOf } from '../paging.js';

/** `POST` and `GET /tenants/{tenant_id}/sessions/{session_id}/events`: the session's event log. */
export const sessionEventsRoutes: FastifyPluginCallbackTypebox<{ database: Store }> = (
  app,
  { database },
  done,
) => {
  const url = '/tenants/:tenant_id/sessions/:session_id/events';

  app.post(url, { schema: appendSchema, config: { access: ['events:write'] } }, async (request, reply) => {
    const session = readSessionPath(request.params);
    requireTenant(request.caller, session.tenant_id);
    const result = await appendEvents(database, session, parseAppendEvents(request.body), request.caller);
    if (result.kind === 'forbidden') throw notOfThePrincipals(session.tenant_id);
    if (result.kind === 'conflict') {
      throw new Problem('event_conflict', problems.event_conflict.meaning, {
        extension: { current: { event_id: result.event_id } },
      });
    }
    return reply.code(result.added > 0 ? 201 : 200).send({ events: result.events, added: result.added });
  });

  app.get(url, { schema: readSchema, config: { access: ['records:read'] } }, async (request) => {
    const session = readSessionPath(request.params);
    const { after = 0, limit = 100 } = request.query;
    const events = mayTouchTenant(request.caller, session.tenant_id)
      ? await readSessionEvents(database, request.caller, session, { after, limit: limit + 1 })
      : [];
    const { shown, next_after } = sequencePageOf(events, limit);
    return { events: shown, next_after };
  });
  done();
};

const appended = { events: loggedEventExamples, added: 2 };

const appendSchema = {
  operationId: 'appendSessionEvents',
  tags: ['records'],
  summary: "Append a batch to a session's event log",
  description:
    'All of the batch or nothing. An event that is there already keeps its place; one with the id of another event is a conflict.',
  params: sessionParams,
  body: documentedBody('AppendEventsBody', {
    batch: { summary: 'A batch of two', value: { events: sessionEventExamples } },
  }),
  response: mergeResponses(
    {
      200: jsonResponse('Every event was there before.', Type.Ref('AppendedEvents#'), {
        nothing_new: { summary: 'Nothing new', value: { ...appended, added: 0 } },
      }),
      201: jsonResponse('Appended.', Type.Ref('AppendedEvents#'), {
        appended: { summary: 'Two new events', value: appended },
      }),
    },
    problemResponses(...bodyProblems, 'unauthenticated', 'forbidden', 'event_conflict', ...commonProblems),
  ),
};

const readSchema = {
  operationId: 'readSessionEvents',
  tags: ['records'],
  summary: "Read a session's event log",
  description: 'In the order of the log. A session without one has an empty one.',
  params: sessionParams,
  querystring: sequencePage,
  response: mergeResponses(
    {
      200: jsonResponse('A page of the log.', Type.Ref('SessionEventPage#'), {
        page: { summary: 'Two events', value: { events: loggedEventExamples, next_after: null } },
      }),
    },
    problemResponses('schema_invalid', 'unauthenticated', 'forbidden', ...commonProblems),
  ),
};
