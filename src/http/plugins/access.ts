import fastifyPlugin from 'fastify-plugin';

import type { Caller } from '../../app/caller.js';
import { Problem } from '../problems.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; set before any handler runs. */
    caller: Caller;
  }
}

export interface AccessOptions {
  /** Whether callers may attest the current state of sessions without records. */
  readonly attestedState: boolean;
  /** Host names that the service answers to; undefined: to every one. */
  readonly hostNames: readonly string[] | undefined;
}

/**
 * Who may call. Without an identity provider the service is open: everyone is the same caller, and on loopback only
 * loopback names are answered, so that no page in a browser can reach it through a name of its own.
 */
export const access = fastifyPlugin<AccessOptions>(
  (app, { attestedState, hostNames }, done) => {
    app.decorateRequest('caller');
    app.addHook('onRequest', (request, _reply, next) => {
      if (hostNames !== undefined && !hostNames.includes(request.hostname)) {
        next(new Problem('forbidden', 'An open gate answers only to loopback host names'));
        return;
      }
      request.caller = { actor: 'open', mayAttest: attestedState };
      next();
    });
    done();
  },
  { name: 'access' },
);
