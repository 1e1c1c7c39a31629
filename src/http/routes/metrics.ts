import { Type } from '@sinclair/typebox';
import type { FastifyPluginCallback } from 'fastify';

import type { Access } from '../auth/scopes.js';
import { mergeResponses, problemResponses } from '../openapi/responses.js';

/** `GET /metrics`: for everyone on this machine if that is all who can come, else for those who may read the trace. */
export const metricsRoute: FastifyPluginCallback<{ metricsAccess: Access }> = (
  app,
  { metricsAccess },
  done,
) => {
  app.get('/metrics', { schema, config: { access: metricsAccess } }, async (_request, reply) => {
    const { contentType, text } = await app.metrics.expose();
    return reply.type(contentType).send(text);
  });
  done();
};

const schema = {
  operationId: 'readMetrics',
  tags: ['operation'],
  summary: 'Read the metrics of the service',
  description:
    'In the text format of Prometheus. Where the service listens on loopback only, requests that no proxy has passed on need no token.',
  response: mergeResponses(
    {
      200: {
        description: 'The metrics.',
        content: {
          'text/plain': {
            schema: Type.String(),
            examples: {
              metrics: {
                summary: 'A counter',
                value:
                  '# HELP continuity_gate_unresolved_effects Side effects whose outcome is unknown.\n# TYPE continuity_gate_unresolved_effects gauge\ncontinuity_gate_unresolved_effects 1\n',
              },
            },
          },
        },
      },
    },
    problemResponses('unauthenticated', 'forbidden', 'internal_error'),
  ),
};
