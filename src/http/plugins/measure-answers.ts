import fastifyPlugin from 'fastify-plugin';

import type { Metrics } from '../../observability/metrics.js';

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics;
  }
}

/** Measures every answer by the pattern of its route, never by its path. */
export const measureAnswers = fastifyPlugin<{ metrics: Metrics }>(
  (app, { metrics }, done) => {
    app.decorate('metrics', metrics);
    app.addHook('onResponse', (request, reply, next) => {
      const { method, routeOptions } = request;
      const route = routeOptions.url ?? 'unmatched';
      metrics.answered({ method, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
      next();
    });
    done();
  },
  { name: 'measure-answers' },
);
