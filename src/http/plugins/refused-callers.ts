import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { RateLimiterMemory } from 'rate-limiter-flexible';

import type { Store } from '../../app/store.js';
import { traceRefusal } from '../../app/trace-refusal.js';
import { Problem } from '../problems.js';

/** Seconds in which the same refusal of the same caller is told once; one who keeps trying floods nothing. */
const logInterval = 10;
const eventInterval = 60;

/**
 * Leaves a counted log line of refused callers, never with the token, and an event where the tenant is known. Neither can
 * turn the refusal into anything else: when the store is away, the answer is the same.
 */
export const refusedCallers = fastifyPlugin<{ database: Store }>(
  (app, { database }, done) => {
    const logLimit = new RateLimiterMemory({ points: 1, duration: logInterval });
    const eventLimit = new RateLimiterMemory({ points: 1, duration: eventInterval });
    const totals = { unauthenticated: 0, forbidden: 0 };

    app.addHook('onError', async (request, _reply, error) => {
      if (!(error instanceof Problem) || !isRefusal(error.code)) return;
      totals[error.code] += 1;
      app.metrics.refused(error.code);
      const route = routeOf(request);
      const who = `${request.caller.actor} ${error.code} ${route}`;
      if (await isFirst(logLimit, who)) {
        request.log.warn(
          {
            code: error.code,
            detail: error.message,
            route,
            actor: request.caller.actor,
            refused_total: totals[error.code],
          },
          'A caller was refused',
        );
      }
      const { tenantId } = error;
      if (
        tenantId === undefined ||
        error.code !== 'forbidden' ||
        !(await isFirst(eventLimit, `${tenantId} ${who}`))
      )
        return;
      await traceRefusal(database, {
        tenant_id: tenantId,
        actor: request.caller.actor,
        reason: error.code,
        route,
      }).catch((failure: unknown) => {
        request.log.error({ err: failure }, 'The event of a refused caller could not be written');
      });
    });
    done();
  },
  { name: 'refused-callers', dependencies: ['access', 'measure-answers'] },
);

function isRefusal(code: Problem['code']): code is 'unauthenticated' | 'forbidden' {
  return code === 'unauthenticated' || code === 'forbidden';
}

function routeOf({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${routeOptions.url ?? 'unknown'}`;
}

async function isFirst(limiter: RateLimiterMemory, key: string): Promise<boolean> {
  return limiter.consume(key).then(
    () => true,
    () => false,
  );
}
