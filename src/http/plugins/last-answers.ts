import fastifyPlugin from 'fastify-plugin';

/**
 * Ends each connection with its last answer once the service is closing. A connection that a client keeps alive would
 * otherwise outlast the request that was in flight, and hold the close up until it is killed.
 */
export const lastAnswers = fastifyPlugin(
  (app, _options, done) => {
    let closing = false;
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
  { name: 'last-answers' },
);
