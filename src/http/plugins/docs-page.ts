import swaggerUi from '@fastify/swagger-ui';
import fastifyPlugin from 'fastify-plugin';

/** The API document as a page at `/docs`. It says nothing that the document doesn't, so everyone may read it. */
export const docsPage = fastifyPlugin(
  async (app) => {
    app.addHook('onRoute', (route) => {
      if (route.url.startsWith('/docs')) route.config = { ...route.config, access: 'public' };
    });
    await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
  },
  { name: 'docs-page', dependencies: ['@fastify/swagger'] },
);
