import swaggerUi from '@fastify/swagger-ui';
import fastifyPlugin from 'fastify-plugin';

import { commonHeaders } from './answer-headers.js';

/** The API document as a page at `/docs`. It says nothing that the document doesn't, so everyone may read it. */
export const docsPage = fastifyPlugin(
  async (app) => {
    app.addHook('onRoute', (route) => {
      if (!route.url.startsWith('/docs')) return;
      route.config = { ...route.config, access: 'public' };
      // The plugin that sends its files has headers of its own.
      route.onSend = (_request, reply, payload, next) => {
        reply.headers(commonHeaders);
        next(null, payload);
      };
    });
    await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
  },
  { name: 'docs-page', dependencies: ['@fastify/swagger'] },
);
