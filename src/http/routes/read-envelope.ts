import { Type } from '@sinclair/typebox';
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';

import { readEnvelope } from '../../app/read.js';
import type { Store } from '../../app/store.js';
import { tenantToRead } from '../auth/claims.js';
import { envelopeBody } from '../envelope-answer.js';
import { sealedExample } from '../openapi/examples.js';
import { commonProblems, jsonResponse, mergeResponses, problemResponses } from '../openapi/responses.js';
import { Problem, problems } from '../problems.js';
import { idParameter, tenantQuery } from '../parameters.js';

/** `GET /envelopes/{envelope_id}`. */
export const readEnvelopeRoute: FastifyPluginCallbackTypebox<{ database: Store }> = (
  app,
  { database },
  done,
) => {
  app.get(
    '/envelopes/:envelope_id',
    { schema, config: { access: ['envelopes:write', 'records:read'] } },
    async (request) => {
      const { caller, params, query } = request;
      const stored = await readEnvelope(database, caller, {
        tenant_id: tenantToRead(caller, query.tenant_id),
        envelope_id: params.envelope_id,
      });
      if (!stored) throw new Problem('envelope_not_found', problems.envelope_not_found.meaning);
      return envelopeBody(stored);
    },
  );
  done();
};

const schema = {
  operationId: 'readEnvelope',
  tags: ['boundary'],
  summary: 'Read a sealed envelope',
  description: 'The envelope as it was answered when it was sealed.',
  params: Type.Object({ envelope_id: idParameter('The envelope.', 'ce-2026-07-21-001') }),
  querystring: Type.Object({ tenant_id: Type.Optional(tenantQuery) }, { additionalProperties: false }),
  response: mergeResponses(
    {
      200: jsonResponse('The envelope.', Type.Ref('SealedEnvelope#'), {
        sealed: { summary: 'An envelope', value: sealedExample },
      }),
    },
    problemResponses(
      'schema_invalid',
      'unauthenticated',
      'forbidden',
      'envelope_not_found',
      ...commonProblems,
    ),
  ),
};
