import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { Problem, problems } from '../problems.js';

/** Requests a second at most; undefined: any number. */
export interface RateLimits {
  /** Of each caller: a token's subject with its tenants, or an address where the gate is open. */
  readonly perCaller?: number | undefined;
  /** From each address, whoever it turns out to be: what comes before a token is looked at. */
  readonly perAddress?: number | undefined;
}

/** Turns away who asks too often from one address. The process's own liveness is told to everyone at any time. */
export const limitAddresses = fastifyPlugin<{ limits?: RateLimits }>(
  (app, { limits }, done) => {
    limit(app, limits?.perAddress, ({ ip, routeOptions }) =>
      routeOptions.url === '/healthz' ? undefined : ip,
    );
    done();
  },
  { name: 'limit-addresses' },
);

/** Turns away a caller that asks too often, so that there is room for all others. */
export const limitCallers = fastifyPlugin<{ limits?: RateLimits }>(
  (app, { limits }, done) => {
    limit(app, limits?.perCaller, ({ caller, ip, routeOptions }) => {
      if (routeOptions.config.access === 'public') return undefined;
      const { actor, tenants } = caller;
      return JSON.stringify(tenants === null ? [ip] : [actor, [...tenants].sort()]);
    });
    done();
  },
  { name: 'limit-callers', dependencies: ['access'] },
);

function limit(
  app: FastifyInstance,
  perSecond: number | undefined,
  keyOf: (request: FastifyRequest) => string | undefined,
): void {
  if (perSecond === undefined) return;
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 });
  app.addHook('onRequest', async (request) => {
    const key = keyOf(request);
    if (key === undefined) return;
    await limiter.consume(key).catch((refusal: unknown) => {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new Problem('too_many_requests', problems.too_many_requests.meaning, {
        headers: { 'retry-after': String(Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000))) },
      });
    });
  });
}
