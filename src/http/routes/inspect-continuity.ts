import { Type } from '@sinclair/typebox';
import type { FastifyPluginCallback } from 'fastify';

import { inspectContinuity } from '../../domain/inspect.js';
import { parseInspectRequest } from '../../domain/requests.js';
import { inspectionExample, inspectRequestExample } from '../openapi/examples.js';
import {
  bodyProblems,
  documentedBody,
  jsonResponse,
  mergeResponses,
  problemResponses,
} from '../openapi/responses.js';

/** `POST /inspect-continuity`. */
export const inspectContinuityRoute: FastifyPluginCallback = (app, _options, done) => {
  app.post('/inspect-continuity', { schema, config: { access: 'authenticated' } }, (request) =>
    inspectContinuity(parseInspectRequest(request.body), BigInt(Date.now()) * 1_000n),
  );
  done();
};

const schema = {
  operationId: 'inspectContinuity',
  tags: ['boundary'],
  summary: 'Try the decision on given facts',
  description:
    'The pure decision: nothing is read, nothing is stored, and 200 whatever the decision. `events` are those that a real run would leave.',
  body: documentedBody('InspectRequestBody', {
    unchanged: { summary: 'Nothing has changed', value: inspectRequestExample },
  }),
  response: mergeResponses(
    {
      200: jsonResponse('The decision.', Type.Ref('Inspection#'), {
        validated: { summary: 'Nothing has changed', value: inspectionExample },
      }),
    },
    problemResponses(
      ...bodyProblems,
      'unauthenticated',
      'forbidden',
      'internal_error',
      'overloaded',
      'identity_provider_unavailable',
    ),
  ),
};
