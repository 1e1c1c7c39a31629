import swagger from '@fastify/swagger';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginCallback } from 'fastify';
import { uuidv7 } from 'uuidv7';

import type { Store } from '../app/store.js';
import { createMetrics } from '../observability/metrics.js';
import type { ReceiptSigner } from '../receipts/sign-receipt.js';
import { answerHeaders, commonHeaders } from './plugins/answer-headers.js';
import { answerClientError, answerError, errorAnswers } from './plugins/error-answers.js';
import type { Access } from './auth/scopes.js';
import { documentOptions, sharedSchemas } from './openapi/document.js';
import { validatorCompiler } from './parameters.js';
import { access, type AccessOptions } from './plugins/access.js';
import { docsPage } from './plugins/docs-page.js';
import { limitAddresses, limitCallers, type RateLimits } from './plugins/rate-limits.js';
import { refusedCallers } from './plugins/refused-callers.js';
import { measureAnswers } from './plugins/measure-answers.js';
import { jsonBody } from './plugins/json-body.js';
import { recordPlugin } from './records/record-plugin.js';
import { traceContext } from './plugins/trace-context.js';
import { healthRoutes } from './routes/health.js';
import { metricsRoute } from './routes/metrics.js';
import { inspectContinuityRoute } from './routes/inspect-continuity.js';
import { readDecisionRoute } from './routes/read-decision.js';
import { readEnvelopeRoute } from './routes/read-envelope.js';
import { readTraceEventsRoute } from './routes/read-trace-events.js';
import { receiptKeysRoute } from './routes/receipt-keys.js';
import { reconciliationRoutes } from './routes/reconciliation.js';
import { rehydrateRoute } from './routes/rehydrate.js';
import { sealEnvelopeRoute } from './routes/seal-envelope.js';
import { sessionEventsRoutes } from './routes/session-events.js';
import { sessionTraceRoutes } from './routes/session-trace.js';
import { sessionStateRoutes } from './routes/session-state.js';

export interface AppOptions {
  readonly database: Store;
  /** The schema version that the store must have for the gate to be ready. */
  readonly schemaVersion: number;
  readonly access: AccessOptions;
  /** Who may read the metrics; those who may read the trace, if it doesn't say. */
  readonly metricsAccess?: Access;
  /** How receipts are signed. */
  readonly receipts: ReceiptSigner;
  /** How often anybody may ask; as often as he likes, if it doesn't say. */
  readonly limits?: RateLimits;
  readonly logger?: FastifyBaseLogger;
  /** Traces the requests; registered before anything that is to be traced. */
  readonly tracing?: FastifyPluginCallback;
}

/** Builds the HTTP service without listening, so that tests and the API document drive the real one. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    ...(options.logger && { loggerInstance: options.logger }),
    bodyLimit: 1_048_576,
    // A plugin that takes long to load on a busy machine is no fault.
    pluginTimeout: 60_000,
    genReqId: () => uuidv7(),
    // A body that dribbles in must not hold a connection for ever.
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 6_144 },
    // A URL that can't be decoded meets no route, and no error handler of a route.
    frameworkErrors: (error, request, reply) => {
      void answerError(error, request, reply.headers(commonHeaders));
    },
    clientErrorHandler: answerClientError,
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(validatorCompiler);
  // The schemas document the answers; a serializer built from them would silently drop what they leave out.
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));

  await app.register(answerHeaders);
  if (options.tracing) await app.register(options.tracing);
  await app.register(errorAnswers);
  await app.register(jsonBody);
  await app.register(swagger, documentOptions);
  for (const schema of sharedSchemas) app.addSchema(schema);
  await app.register(docsPage);
  const metrics = createMetrics(options.database);
  options.database.observeTransactions(metrics.transacted);
  await app.register(measureAnswers, { metrics });
  await app.register(limitAddresses, options);
  await app.register(access, options.access);
  await app.register(limitCallers, options);
  await app.register(traceContext);
  await app.register(refusedCallers, options);
  await app.register(healthRoutes, options);
  await app.register(metricsRoute, { metricsAccess: options.metricsAccess ?? ['trace:read'] });
  await app.register(sealEnvelopeRoute, options);
  await app.register(rehydrateRoute, options);
  await app.register(recordPlugin, options);
  await app.register(sessionEventsRoutes, options);
  await app.register(sessionStateRoutes, options);
  await app.register(reconciliationRoutes, options);
  await app.register(readEnvelopeRoute, options);
  await app.register(readDecisionRoute, options);
  await app.register(receiptKeysRoute, options);
  await app.register(readTraceEventsRoute, options);
  await app.register(sessionTraceRoutes, options);
  await app.register(inspectContinuityRoute);
  app.get('/openapi.json', { schema: { hide: true }, config: { access: 'public' } }, () => app.swagger());
  return app;
}
