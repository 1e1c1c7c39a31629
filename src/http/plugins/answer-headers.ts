import fastifyPlugin from 'fastify-plugin';

/**
 * What every answer says to those on its way: it is of this moment and this caller, so that nobody keeps it, and it is of
 * the type that it says. The public keys alone may be kept, and say so themselves.
 */
export const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/**
 * Puts on each answer the headers of all answers and the id of its request.
 *
 * Once the service is closing, each connection ends with its last answer: one that a client keeps alive would otherwise
 * outlast the request that was in flight, and hold the close up until it is killed.
 */
export const answerHeaders = fastifyPlugin(
  (app, _options, done) => {
    let closing = false;
    app.addHook('onRequest', (request, reply, next) => {
      reply.headers({ ...commonHeaders, 'x-request-id': request.id });
      next();
    });
    app.addHook('preClose', (closed) => {
      closing = true;
      closed();
    });
    app.addHook('onSend', (_request, reply, payload, next) => {
      if (closing) reply.header('connection', 'close');
      next(null, payload);
    });
    done();
  },
  { name: 'answer-headers' },
);
