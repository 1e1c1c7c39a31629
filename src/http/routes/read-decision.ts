import { Type } from '@sinclair/typebox';
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';

import { readDecision } from '../../app/read.js';
import type { Store } from '../../app/store.js';
import { tenantToRead } from '../auth/claims.js';
import { recordedBody } from '../decision-answers.js';
import { recordedExample } from '../openapi/examples.js';
import { commonProblems, jsonResponse, mergeResponses, problemResponses } from '../openapi/responses.js';
import { Problem, problems } from '../problems.js';
import { tenantQuery } from '../parameters.js';

/** `GET /decisions/{decision_id}`. */
export const readDecisionRoute: FastifyPluginCallbackTypebox<{ database: Store }> = (
  app,
  { database },
  done,
) => {
  app.get(
    '/decisions/:decision_id',
    { schema, config: { access: ['rehydrate', 'trace:read'] } },
    async (request) => {
      const { caller, params, query } = request;
      const found = await readDecision(database, caller, {
        tenant_id: tenantToRead(caller, query.tenant_id),
        decision_id: params.decision_id,
      });
      if (!found) throw new Problem('decision_not_found', problems.decision_not_found.meaning);
      return recordedBody(found.stored, found.replayed);
    },
  );
  done();
};

const schema = {
  operationId: 'readDecision',
  tags: ['evidence'],
  summary: 'Read a past decision with its facts and replay it',
  description:
    "The facts are identifiers, versions, statuses and digests, no free text. They are decided again by today's rules, and `replayed.same` says whether the outcome is the same.",
  params: Type.Object({
    decision_id: Type.String({
      format: 'uuid',
      description: 'The decision.',
      examples: [recordedExample.decision_id],
    }),
  }),
  querystring: Type.Object({ tenant_id: Type.Optional(tenantQuery) }, { additionalProperties: false }),
  response: mergeResponses(
    {
      200: jsonResponse('The decision.', Type.Ref('RecordedDecision#'), {
        recorded: { summary: 'A go and the facts behind it', value: recordedExample },
      }),
    },
    problemResponses(
      'schema_invalid',
      'unauthenticated',
      'forbidden',
      'decision_not_found',
      ...commonProblems,
    ),
  ),
};
