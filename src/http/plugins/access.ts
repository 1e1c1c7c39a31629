import type { FastifyRequest, RouteOptions } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

import type { Caller } from '../../app/caller.js';
import { onlyTenant } from '../auth/claims.js';
import type { Access, Scope } from '../auth/scopes.js';
import {
  InvalidTokenError,
  KeysUnavailableError,
  verifyToken,
  type TokenClaims,
  type TokenRules,
} from '../auth/verify-token.js';
import { Problem } from '../problems.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. */
    access?: Access;
  }
  interface FastifyRequest {
    /** Who is calling: nobody, until the access hook has let someone in. */
    caller: Caller;
  }
}

/** Open to everyone, or to the bearers of an identity provider's tokens. */
export type AccessOptions = {
  /** Whether `current_state` and `released` are accepted at all. */
  readonly attestedState: boolean;
} & (
  | {
      readonly mode: 'open';
      /** Host names that the service answers to; undefined: to every one. */
      readonly hostNames: readonly string[] | undefined;
    }
  | { readonly mode: 'tokens'; readonly rules: TokenRules }
);

/**
 * Who may call, decided in one place before a body is read.
 *
 * A route says who by `config.access`; one that doesn't keeps the service from starting. Open on loopback, only loopback
 * names are answered, so that no page in a browser can reach the service through a name of its own.
 */
export const access = fastifyPlugin<AccessOptions>(
  (app, options, done) => {
    app.addHook('onRoute', requireDeclaration);
    app.decorateRequest('caller');
    app.addHook('onRequest', async (request) => {
      request.caller = nobody;
      const required = requiredFor(request);
      if (options.mode === 'open') {
        refuseForeignHost(request, options.hostNames);
        request.caller = openCaller(options.attestedState);
      } else if (required !== undefined && required !== 'public') {
        const claims = await authenticate(request, options.rules);
        request.caller = callerOf(claims, options.attestedState);
        if (required !== 'authenticated') requireOneOf(required, claims);
      }
    });
    done();
  },
  { name: 'access' },
);

function requireDeclaration(route: RouteOptions): void {
  const required = route.config?.access;
  if (required === undefined)
    throw new Error(`${String(route.method)} ${route.url} does not say who may call it`);
  route.schema = { ...route.schema, security: securityOf(required) };
}

/** Who may make this request: everyone, everyone with a valid token, or one with any of these scopes. */
function requiredFor({ routeOptions, headers }: FastifyRequest) {
  const { access: declared } = routeOptions.config;
  if (declared !== 'direct') return declared;
  return Object.keys(headers).some((name) => forwarding.test(name)) ? toReadTrace : 'public';
}

/** Headers by which a proxy says for whom it asks. One on the same machine comes from loopback as we do ourselves. */
const forwarding =
  /^(?:forwarded|via|x-real-ip|x-(?:forwarded|envoy|original)(?:-.+)?|cf-connecting-ip|true-client-ip)$/;

const toReadTrace: readonly Scope[] = ['trace:read'];

/** The same for the API document: any one of the alternatives will do. */
function securityOf(required: Access): Record<string, readonly string[]>[] {
  if (required === 'public') return [];
  if (required === 'direct') return [{}, ...securityOf(toReadTrace)];
  return required === 'authenticated' ? [{ bearer: [] }] : required.map((scope) => ({ bearer: [scope] }));
}

/** The whole header counts: what follows a name may be anything but the digits of a port. */
function refuseForeignHost({ host }: FastifyRequest, hostNames: readonly string[] | undefined): void {
  if (hostNames === undefined || hostNames.includes(host.replace(/:\d{1,5}$/, ''))) return;
  throw new Problem('forbidden', 'An open gate on loopback answers only to loopback host names');
}

/** A caller that has not been let in yet. */
const nobody: Caller = {
  actor: 'unknown',
  tenants: [],
  principals: [],
  mayAttest: false,
  mayReadRecords: false,
};

function openCaller(attestedState: boolean): Caller {
  return { actor: 'open', tenants: null, principals: null, mayAttest: attestedState, mayReadRecords: true };
}

async function authenticate(request: FastifyRequest, rules: TokenRules): Promise<TokenClaims> {
  const token = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) {
    throw new Problem('unauthenticated', 'A bearer token is required', { headers: challenge() });
  }
  try {
    return await verifyToken(token, rules);
  } catch (error) {
    if (error instanceof InvalidTokenError) {
      const headers = challenge('invalid_token');
      throw new Problem('unauthenticated', error.message, { headers, cause: error });
    }
    if (error instanceof KeysUnavailableError) {
      throw new Problem('identity_provider_unavailable', error.message, { cause: error });
    }
    throw error;
  }
}

/** How to authenticate, and why that failed where it was tried: RFC 6750. */
function challenge(error?: 'invalid_token' | 'insufficient_scope'): Record<string, string> {
  return { 'www-authenticate': error === undefined ? 'Bearer' : `Bearer error="${error}"` };
}

function callerOf({ subject, tenants, principals, scopes }: TokenClaims, attestedState: boolean): Caller {
  return {
    actor: subject,
    tenants,
    principals,
    mayAttest: attestedState && scopes.has('state:attest'),
    mayReadRecords: scopes.has('records:read'),
  };
}

function requireOneOf(required: readonly Scope[], { scopes, tenants }: TokenClaims): void {
  if (required.some((scope) => scopes.has(scope))) return;
  throw new Problem('forbidden', `The token needs the scope ${required.join(' or ')}`, {
    headers: challenge('insufficient_scope'),
    tenantId: onlyTenant(tenants),
  });
}
