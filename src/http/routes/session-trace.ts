import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';

import { maySpeakFor, type Caller } from '../../app/caller.js';
import { readTimeline, readTraceIntegrity } from '../../app/read.js';
import type { Store } from '../../app/store.js';
import { foundRecord } from '../auth/claims.js';
import { epochExample, traceEventExample } from '../openapi/examples.js';
import { commonProblems, jsonResponse, mergeResponses, problemResponses } from '../openapi/responses.js';
import { readSessionPath, sessionParams } from '../parameters.js';
import { sequencePage, sequencePageOf } from '../paging.js';

/** A session's evidence: its timeline from boundary to resume, and whether its chain still holds. */
export const sessionTraceRoutes: FastifyPluginCallbackTypebox<{ database: Store }> = (
  app,
  { database },
  done,
) => {
  const session = '/tenants/:tenant_id/sessions/:session_id';

  app.get(
    `${session}/timeline`,
    { schema: timelineSchema, config: { access: ['trace:read'] } },
    async ({ caller, params, query }) => {
      const key = readSessionPath(params);
      const { after = 0, limit = 100 } = query;
      const timeline = await foundRecord(caller, key.tenant_id, () =>
        readTimeline(database, caller, key, { after, limit: limit + 1 }),
      );
      const { shown, next_after } = sequencePageOf(timeline.events, limit);
      return {
        ...key,
        ...timeline.epoch,
        events: shown.filter(({ principal_id }) => maySee(caller, principal_id)),
        next_after,
      };
    },
  );

  app.get(
    `${session}/trace-integrity`,
    { schema: integritySchema, config: { access: ['trace:read'] } },
    async ({ caller, params }) => {
      const key = readSessionPath(params);
      const integrity = await foundRecord(caller, key.tenant_id, () =>
        readTraceIntegrity(database, caller, key),
      );
      if (!integrity.intact) app.metrics.chainBroken();
      return integrity;
    },
  );
  done();
};

/** A token for certain principals sees their events alone. */
function maySee(caller: Caller, principalId: string | null): boolean {
  return caller.principals === null || (principalId !== null && maySpeakFor(caller, principalId));
}

const errors = problemResponses(
  'schema_invalid',
  'unauthenticated',
  'forbidden',
  'record_not_found',
  ...commonProblems,
);

const timelineSchema = {
  operationId: 'readTimeline',
  tags: ['evidence'],
  summary: "Read a session's timeline",
  description:
    "The session's own chain of events, from boundary to resume, in the order in which they were committed, and who holds the session. `boundary_event_id` in a payload links an outcome to the boundary that it is about.",
  params: sessionParams,
  querystring: sequencePage,
  response: mergeResponses(
    {
      200: jsonResponse('The timeline.', Type.Ref('Timeline#'), {
        timeline: {
          summary: 'A session with one boundary',
          value: {
            tenant_id: traceEventExample.tenant_id,
            session_id: traceEventExample.session_id,
            ...epochExample,
            events: [traceEventExample],
            next_after: null,
          },
        },
      }),
    },
    errors,
  ),
};

const integritySchema = {
  operationId: 'verifyTrace',
  tags: ['evidence'],
  summary: "Verify a session's chain of events",
  description:
    'Every digest is computed again, from the start of the chain, or from where retention has left it, to the end that the session records. Takes time in proportion to the events.',
  params: sessionParams,
  response: mergeResponses(
    {
      200: jsonResponse('What was found.', Type.Ref('TraceIntegrity#'), {
        intact: { summary: 'Intact', value: { intact: true, events: 12, broken_at: null } },
        broken: { summary: 'Changed', value: { intact: false, events: 6, broken_at: 7 } },
      }),
    },
    errors,
  ),
};
