import { parseTraceParent } from '@opentelemetry/core';
import fastifyPlugin from 'fastify-plugin';

/**
 * Notes the span that called, from the W3C `traceparent` header, so that what a call leaves in the trace can be found
 * from the caller's own. One that is malformed is ignored, as the standard says.
 */
export const traceContext = fastifyPlugin(
  (app, _options, done) => {
    app.addHook('onRequest', (request, _reply, next) => {
      const { traceparent } = request.headers;
      const parent = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
      if (parent) {
        request.log = request.log.child({ trace_id: parent.traceId });
        request.caller = { ...request.caller, span: { trace_id: parent.traceId, span_id: parent.spanId } };
      }
      next();
    });
    done();
  },
  { name: 'trace-context', dependencies: ['access'] },
);
