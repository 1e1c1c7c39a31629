import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';

import { readControlState, readEpoch } from '../../app/read.js';
import type { Store } from '../../app/store.js';
import { foundRecord } from '../auth/claims.js';
import { assembledStateExample, epochExample } from '../openapi/examples.js';
import { commonProblems, jsonResponse, mergeResponses, problemResponses } from '../openapi/responses.js';
import { readSessionPath, sessionParams } from '../parameters.js';

/** What a session is now: its control state as its records have it, and who holds it. */
export const sessionStateRoutes: FastifyPluginCallbackTypebox<{ database: Store }> = (
  app,
  { database },
  done,
) => {
  const session = '/tenants/:tenant_id/sessions/:session_id';

  app.get(
    `${session}/control-state`,
    { schema: stateSchema, config: { access: ['records:read'] } },
    ({ caller, params }) => {
      const key = readSessionPath(params);
      return foundRecord(caller, key.tenant_id, () => readControlState(database, caller, key));
    },
  );

  app.get(
    `${session}/epoch`,
    { schema: epochSchema, config: { access: ['rehydrate', 'reconcile', 'records:read'] } },
    ({ caller, params }) => {
      const key = readSessionPath(params);
      return foundRecord(caller, key.tenant_id, () => readEpoch(database, caller, key));
    },
  );
  done();
};

const notFound = ['schema_invalid', 'unauthenticated', 'forbidden', 'record_not_found'] as const;

const stateSchema = {
  operationId: 'readControlState',
  tags: ['records'],
  summary: "Read a session's control state as its records have it",
  description: 'Assembled by the current idempotency key of the session; null where there is no record.',
  params: sessionParams,
  response: mergeResponses(
    {
      200: jsonResponse('The control state.', Type.Ref('AssembledState#'), {
        state: { summary: 'All fourteen fields', value: assembledStateExample },
      }),
    },
    problemResponses(...notFound, ...commonProblems),
  ),
};

const epochSchema = {
  operationId: 'readSessionEpoch',
  tags: ['records'],
  summary: 'Read who holds a session',
  description: 'Cheap, and without a lock: what a tool gateway asks before it acts for a runtime.',
  params: sessionParams,
  response: mergeResponses(
    {
      200: jsonResponse('Who holds the session.', Type.Ref('SessionEpoch#'), {
        held: { summary: 'Resumed once', value: epochExample },
      }),
    },
    problemResponses(...notFound, ...commonProblems),
  ),
};
