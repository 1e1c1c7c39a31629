import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { scopes } from '../../../src/http/auth/scopes.js';
import { buildApp } from '../../../src/http/build-app.js';
import { recordRoutes } from '../../../src/http/records/record-routes.js';
import { Answer } from '../../support/answer.js';
import { valueAt } from '../../support/edit-json.js';
import { accessBy, bearer, createSigningKey, mint } from '../../support/identity-provider.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp } from '../../support/test-app.js';
import { testReceipts } from '../../support/test-receipts.js';
import { eventually } from '../../support/trace-pages.js';
import { invalidTokens } from './invalid-tokens.js';
import {
  callOf,
  inTenant,
  populate,
  withRouteTable,
  type Call,
  type PopulatedTenant,
  type Route,
} from './route-calls.js';

/** What may be had without a token, and nothing else. */
const publicUrls = /^\/(?:healthz|readyz|metrics|openapi\.json|\.well-known\/jwks\.json|docs(?:\/.*)?)$/;

/** What belongs to no tenant and to no principal. */
const ofTheService = ['/metrics', '/inspect-continuity'];

/**
 * What another principal's token gets of each route: `forbidden` to speak for it or to write to its sessions, what is its
 * own `hidden` as if it weren't there or `left out` of what is listed; what belongs to the whole `tenant` is everyone's in
 * it.
 */
const ofAnotherPrincipal: Readonly<Record<string, 'forbidden' | 'hidden' | 'left out' | 'tenant'>> = {
  'POST /envelopes': 'forbidden',
  'POST /rehydrate': 'forbidden',
  'GET /envelopes/:envelope_id': 'hidden',
  'GET /decisions/:decision_id': 'hidden',
  'GET /trace-events': 'left out',
  'GET /tenants/:tenant_id/sessions/:session_id/timeline': 'hidden',
  'GET /tenants/:tenant_id/sessions/:session_id/trace-integrity': 'hidden',
  'GET /tenants/:tenant_id/sessions/:session_id/control-state': 'hidden',
  'GET /tenants/:tenant_id/sessions/:session_id/epoch': 'hidden',
  'GET /tenants/:tenant_id/sessions/:session_id/events': 'left out',
  'POST /tenants/:tenant_id/sessions/:session_id/events': 'forbidden',
  'GET /tenants/:tenant_id/reconciliations': 'left out',
  'POST /tenants/:tenant_id/side-effects/:idempotency_key/reconciliation': 'hidden',
  ...Object.fromEntries(
    recordRoutes.flatMap(({ path, sessionField, principalKey }) => {
      const isTenants = sessionField === undefined && principalKey === undefined;
      return [
        [`GET /tenants/:tenant_id/${path}`, isTenants ? 'tenant' : 'hidden'],
        [`PUT /tenants/:tenant_id/${path}`, isTenants ? 'tenant' : 'forbidden'],
      ];
    }),
  ),
};

const key = await createSigningKey('key-1');
const ours = requestsOf('tenant-a');
const owned = { tenants: [ours.tenant_id], scope: scopes.join(' ') };
/** Whoever asks from elsewhere; nothing is in the second of these tenants, and nobody has the third. */
const [elsewhere, empty, nowhere] = ['tenant-b-tenant', 'tenant-c-tenant', 'tenant-n-tenant'] as const;

// One gate to fill the store by, and the one under test, whose own routes the tests are made from.
const open = await createTestApp();
const { built: gate, routes: everyRoute } = await withRouteTable(() =>
  createTestApp({ connectionString: open.connectionString, access: accessBy(key) }),
);
const routes = everyRoute
  .filter(({ access }) => access !== 'public')
  .map((route) => ({ ...route, name: `${route.method} ${route.url}` }));
const tenantRoutes = routes.filter(({ url }) => !ofTheService.includes(url));
const requests: Record<string, number> = {};

let tenant: PopulatedTenant;

beforeAll(async () => {
  tenant = await populate(open, ours);
});

afterAll(async () => {
  console.log(`Authorization matrix: ${routes.length} routes; requests ${JSON.stringify(requests)}`);
  await gate.close();
  await open.close();
});

it('has nothing open to everyone but what is meant to be', () => {
  expect(everyRoute.filter(({ access, url }) => access === 'public' && !publicUrls.test(url))).toEqual([]);
  expect(routes.length).toBeGreaterThan(30);
});

it('refuses to start with a route that does not say who may call it', async () => {
  const { database } = open;
  const app = await buildApp({
    database,
    schemaVersion: 0,
    access: accessBy(key),
    receipts: await testReceipts(),
  });

  expect(() => app.get('/undeclared', () => 'anything')).toThrow(
    'GET /undeclared does not say who may call it',
  );
  await app.close();
});

describe('with a token of every scope', () => {
  it.each(byName(routes))('%s can be called, and finds something', async (_name, route) => {
    const answer = await send('every scope', route, tenant, await mint(key, owned));

    expect([200, 201]).toContain(answer.status);
    if (route.method !== 'HEAD') expect(answer.text).not.toBe('');
  });
});

it.each(['JWT', 'at+jwt', 'application/at+jwt', 'AT+JWT', 'dev+jwt', undefined])(
  'takes a token of the type %s',
  async (typ) => {
    const token = await mint(key, owned, { typ });

    expect((await send('every scope', routeOf('GET /trace-events'), tenant, token)).status).toBe(200);
  },
);

describe('without a valid token', async () => {
  const invalid = await invalidTokens(key, ours.tenant_id);

  it.each(byName(routes))('%s answers 401 and how to authenticate', async (_name, route) => {
    const call = callOf(route, tenant);
    const before = await rowCounts();
    for (const { name, authorization, challenge } of invalid) {
      const headers = { ...call.headers, ...(authorization !== undefined && { authorization }) };
      const answer = await sendCall('invalid tokens', { ...call, headers });

      expect([name, answer.status, answer.headers['www-authenticate']]).toEqual([name, 401, challenge]);
      if (route.method !== 'HEAD') expect(answer.string('/code')).toBe('unauthenticated');
      if (route.url === '/rehydrate') expect(answer.body).toMatchObject(stop);
    }
    expect(await rowCounts()).toEqual(before);
  });
});

describe('with a token of one scope', () => {
  it.each(byName(routes))('%s is allowed exactly where it says so', async (_name, route) => {
    const allowedBy = [];
    for (const scope of scopes) {
      const answer = await send('single scopes', route, tenant, await mint(key, { ...owned, scope }));

      if (answer.status < 300) allowedBy.push(scope);
      else expect([scope, answer.status]).toEqual([scope, 403]);
      if (answer.status === 403) {
        expect(answer.headers['www-authenticate']).toBe('Bearer error="insufficient_scope"');
        if (route.method !== 'HEAD') expect(answer.string('/code')).toBe('forbidden');
        if (route.url === '/rehydrate') expect(answer.body).toMatchObject(stop);
      }
    }

    expect(allowedBy).toEqual(
      route.access === 'authenticated' ? scopes : scopes.filter((scope) => route.access.includes(scope)),
    );
  });

  it.each(byName(routes))('%s is allowed by no scope that is only spelt alike', async (_name, route) => {
    for (const scope of [undefined, '', 'admin', '*', scopes.join(','), scopes.join('').toUpperCase()]) {
      const answer = await send('single scopes', route, tenant, await mint(key, { ...owned, scope }));

      expect([scope, answer.status]).toEqual([scope, route.access === 'authenticated' ? 200 : 403]);
    }
  });
});

it.each(byName(routes.filter(({ method }) => method !== 'HEAD')))(
  '%s shows in the API document who may call it',
  (_name, { method, url, access }) => {
    const path = url.replaceAll(/:(\w+)/g, '{$1}').replaceAll('/', '~1');
    const security = valueAt(gate.app.swagger(), `/paths/${path}/${method.toLowerCase()}/security`);

    expect(security).toEqual(
      access === 'authenticated' ? [{ bearer: [] }] : [access].flat().map((scope) => ({ bearer: [scope] })),
    );
  },
);

describe("with another tenant's token", () => {
  const reading = tenantRoutes.filter(({ method }) => ['GET', 'HEAD'].includes(method));
  const writing = tenantRoutes.filter(
    ({ method, url }) => !['GET', 'HEAD'].includes(method) && url !== '/rehydrate',
  );
  const theirs = () => mint(key, { ...owned, tenants: [elsewhere, empty], sub: 'caller-b' });

  it.each(byName(reading))('%s answers like a tenant in which there is nothing', async (_name, route) => {
    const token = await theirs();
    const nothing = await send('another tenant', route, inTenant(tenant, empty), token);

    for (const tenantId of [ours.tenant_id, nowhere]) {
      const answer = await send('another tenant', route, inTenant(tenant, tenantId), token);

      expect(comparable(answer)).toEqual(comparable(nothing));
    }
  });

  it.each(byName(writing))('%s is forbidden, whether there is such a tenant or not', async (_name, route) => {
    const token = await theirs();
    const before = await rowCounts();
    const there = await send('another tenant', route, tenant, token);
    const nothing = await send('another tenant', route, inTenant(tenant, nowhere), token);

    expect([there.status, there.string('/code')]).toEqual([403, 'forbidden']);
    expect(comparable(there)).toEqual(comparable(nothing));
    expect(await rowCounts()).toEqual(before);
  });

  it('POST /rehydrate finds no envelope, whether there is such a tenant or not', async () => {
    const token = await theirs();
    const route = routeOf('POST /rehydrate');
    const before = await rowCounts();
    const there = await send('another tenant', route, tenant, token);
    const nowhereAtAll = await send('another tenant', route, inTenant(tenant, nowhere), token);

    expect(await rowCounts()).toEqual(before);
    const nothing = await send('another tenant', route, inTenant(tenant, elsewhere), token);
    expect([there.status, there.string('/reason')]).toEqual([404, 'envelope_not_found']);
    expect(there.body).toMatchObject(stop);
    expect(comparable(there)).toEqual(comparable(nothing));
    expect(comparable(nowhereAtAll)).toEqual(comparable(nothing));
  });

  it.each(byName(reading))('%s does not take its only tenant for another one', async (_name, route) => {
    const token = await mint(key, { ...owned, tenants: [empty] });
    const call = callOf(route, inTenant(tenant, empty));
    const asked = await sendCall('another tenant', { ...call, headers: bearer(token) });
    const unasked = await sendCall('another tenant', {
      ...call,
      url: call.url.replace(/\?tenant_id=.*/, ''),
      headers: bearer(token),
    });

    expect(comparable(unasked)).toEqual(comparable(asked));
  });

  it.each(byName(tenantRoutes))('%s does nothing for a token that names no tenant', async (_name, route) => {
    for (const tenants of [undefined, []]) {
      const answer = await send('another tenant', route, tenant, await mint(key, { ...owned, tenants }));
      const nothing = await send(
        'another tenant',
        route,
        tenant,
        await mint(key, { ...owned, tenants: [empty] }),
      );

      expect(comparable(answer)).toEqual(comparable(nothing));
    }
  });
});

describe("with another principal's token", () => {
  const limited = () => mint(key, { ...owned, principals: ['somebody-else'] });
  const unknown = (): PopulatedTenant => {
    const nothing = Object.keys(tenant.ids).map((name) => [name, `no-such-${name}`]);
    const settlement = [...tenant.bodies].find(([call]) => call.endsWith('/reconciliation'))?.[1];
    return {
      ...tenant,
      ids: {
        ...(Object.fromEntries(nothing) as Record<string, string>),
        tenant_id: tenant.tenant_id,
        decision_id: '00000000-0000-7000-8000-000000000000',
      },
      bodies: new Map([
        [
          `POST /tenants/${tenant.tenant_id}/side-effects/no-such-idempotency_key-settled/reconciliation`,
          settlement,
        ],
      ]),
    };
  };

  it.each(byName(tenantRoutes))('%s keeps to the principals of the token', async (_name, route) => {
    const { method, url } = route;
    const rule = ofAnotherPrincipal[`${method === 'HEAD' ? 'GET' : method} ${url}`];
    const answer = await send('another principal', route, tenant, await limited());
    switch (rule) {
      case 'forbidden':
        expect([answer.status, answer.string('/code')]).toEqual([403, 'forbidden']);
        break;
      case 'hidden': {
        const nothing = await send('another principal', route, unknown(), await limited());
        expect(answer.status).toBe(404);
        expect(comparable(answer)).toEqual(comparable(nothing));
        break;
      }
      case 'left out':
        expect(answer.status).toBe(200);
        if (method !== 'HEAD') {
          expect(
            valueAt(answer.body, url.endsWith('/reconciliations') ? '/reconciliations' : '/events'),
          ).toEqual([]);
        }
        break;
      case 'tenant': {
        const unlimited = await send('another principal', route, tenant, await mint(key, owned));
        expect(comparable(answer)).toEqual(comparable(unlimited));
        break;
      }
      case undefined:
        throw new Error(`Nobody has told what another principal's token gets of ${method} ${url}`);
    }
  });

  it.each(byName(tenantRoutes))(
    '%s serves a token that names the principal among others',
    async (_name, route) => {
      const token = await mint(key, { ...owned, principals: ['somebody-else', ours.principal_id] });

      expect([200, 201]).toContain((await send('another principal', route, tenant, token)).status);
    },
  );

  it('shows the trace to a token that names the principal among others', async () => {
    const token = await mint(key, { ...owned, principals: ['somebody-else', ours.principal_id] });
    await eventually(async () => {
      const trace = await send('another principal', routeOf('GET /trace-events'), tenant, token);
      expect(valueAt(trace.body, '/events/0/principal_id')).toBe(ours.principal_id);
    });
  });

  it('lets a token that names no principal at all speak for nobody', async () => {
    const token = await mint(key, { ...owned, principals: [] });

    expect((await send('another principal', routeOf('POST /rehydrate'), tenant, token)).status).toBe(403);
  });
});

const stop = { status: 'continuity_validation_failed', authorized: false, requires_reauthorization: true };

async function send(purpose: string, route: Route, asked: PopulatedTenant, token: string): Promise<Answer> {
  const call = callOf(route, asked);
  return sendCall(purpose, { ...call, headers: { ...call.headers, ...bearer(token) } });
}

/** Answers to anything but HEAD are held to the API document as well. */
async function sendCall(purpose: string, call: Call): Promise<Answer> {
  requests[purpose] = (requests[purpose] ?? 0) + 1;
  if (call.method !== 'HEAD') return gate.inject(call);
  const { statusCode, headers, payload } = await gate.app.inject(call);
  return new Answer(statusCode, headers, payload);
}

function byName(some: readonly (Route & { readonly name: string })[]) {
  return some.map((route) => [route.name, route] as const);
}

function routeOf(wanted: string): Route {
  const route = routes.find(({ name }) => name === wanted);
  if (!route) throw new Error(`There is no ${wanted}`);
  return route;
}

/** All of an answer but what differs from one request to the next. */
function comparable({ status, headers, text }: Answer) {
  const lasting = Object.entries(headers).filter(([name]) => !['x-request-id', 'date'].includes(name));
  return { status, headers: lasting, text: text.replace(/"request_id":"[^"]*"/, '') };
}

/** How many rows there are of each tenant in each table. */
async function rowCounts(): Promise<unknown[]> {
  const tables = await open.query<{ name: string }>(
    `select pg_class.oid::regclass::text as name
     from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'tenant_id'
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const counting = tables.map(
    ({ name }) => `select '${name}', tenant_id, count(*) from ${name} group by tenant_id`,
  );
  return open.query(`${counting.join(' union all ')} order by 1, 2`);
}
