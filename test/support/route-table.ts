import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import type { FastifyInstance, RouteOptions } from 'fastify';

import type { Access } from '../../src/http/auth/scopes.js';

/** A route as the application registered it. */
export interface Route {
  readonly method: string;
  /** Its pattern, such as `/envelopes/:envelope_id`. */
  readonly url: string;
  readonly access: Access;
}

/** Builds an application and tells every route that it registered meanwhile, those for `HEAD` too. */
export async function withRouteTable<T>(build: () => Promise<T>): Promise<{ built: T; routes: Route[] }> {
  const registered: RouteOptions[] = [];
  // The framework announces each application here before anything is registered with it.
  const onInitialization = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => {
      registered.push(route);
    });
  };
  subscribe('fastify.initialization', onInitialization);
  try {
    const built = await build();
    return { built, routes: registered.flatMap(toRoutes) };
  } finally {
    unsubscribe('fastify.initialization', onInitialization);
  }
}

function toRoutes({ method, url, config }: RouteOptions): Route[] {
  if (config?.access === undefined) throw new Error(`${String(method)} ${url} does not say who may call it`);
  const { access } = config;
  return [method].flat().map((each) => ({ method: each, url, access }));
}
