import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import type { FastifyInstance, InjectOptions, RouteOptions } from 'fastify';

import type { Access } from '../../../src/http/auth/scopes.js';
import { edited } from '../../support/edit-json.js';
import {
  matchingEvents,
  matchingRecords,
  recordsOfTenant,
  writeMatchingRecords,
} from '../../support/records.js';
import type { Requests } from '../../support/requests.js';
import type { TestApp } from '../../support/test-app.js';

/** A tenant in which there is something behind every route. */
export interface PopulatedTenant {
  readonly tenant_id: string;
  readonly principal_id: string;
  /** Values of the parameters of paths. */
  readonly ids: Readonly<Record<string, string>>;
  /** Bodies by method and path. */
  readonly bodies: ReadonlyMap<string, unknown>;
}

export type Call = InjectOptions & { readonly url: string };

/** Fills a tenant through a gate that is open. */
export async function populate(gate: TestApp, run: Requests): Promise<PopulatedTenant> {
  const { tenant_id, session_id } = run;
  const tenant = recordsOfTenant(gate, tenant_id);
  await writeMatchingRecords(gate, run);
  const settled = `${run.idempotency_key}-settled`;
  const { path, body } = matchingRecords(run).side_effect;
  for (const [key, session] of [
    [settled, session_id],
    [`${run.idempotency_key}-unknown`, `${session_id}-stuck`],
  ] as const) {
    const unknown = {
      session_id: session,
      approval_id: `${key}-approval`,
      side_effect_status: 'side_effect_unknown',
    };
    expectDone(await tenant.put(`side-effects/${key}`, { ...body, ...unknown }));
  }
  const settlement = { outcome: 'not_started', evidence_refs: ['provider:none'], reconciled_by: 'person-1' };
  expectDone(await tenant.post(`side-effects/${settled}/reconciliation`, settlement));
  expectDone(await gate.seal(run.sealRequest()));
  const resume = edited(run.rehydrateRequest(), { remove: ['/current_state'] });
  const decision = await gate.rehydrate(resume);
  expectDone(decision);

  const below = `/tenants/${tenant_id}`;
  const inspection = {
    continuity_envelope: run.envelope(),
    current_state: run.attestedState(),
    summary: run.sealRequest().summary,
  };
  return {
    tenant_id,
    principal_id: run.principal_id,
    ids: {
      tenant_id,
      session_id,
      principal_id: run.principal_id,
      capability_name: run.envelope().capability_name,
      obligation_id: run.obligation_id,
      constraint_ref: run.constraint_ref,
      approval_id: run.envelope().approval_id,
      idempotency_key: path.replace('side-effects/', ''),
      envelope_id: run.envelope_id,
      decision_id: decision.string('/decision_id'),
    },
    bodies: new Map<string, unknown>([
      ...Object.values(matchingRecords(run)).map(
        (record) => [`PUT ${below}/${record.path}`, record.body] as const,
      ),
      [`POST ${below}/sessions/${session_id}/events`, matchingEvents(run)],
      [`POST ${below}/side-effects/${settled}/reconciliation`, settlement],
      ['POST /envelopes', run.sealRequest()],
      ['POST /rehydrate', resume],
      ['POST /inspect-continuity', inspection],
    ]),
  };
}

/**
 * How the route is called on what the tenant has. Throws for a route that needs what nobody has told: whoever adds one
 * says here what is behind it.
 */
export function callOf({ method, url }: Route, { tenant_id, ids, bodies }: PopulatedTenant): Call {
  const path = url.replaceAll(/:(\w+)/g, (_, name: string) => {
    const id = url.endsWith('/reconciliation') && name === 'idempotency_key' ? settledKey(ids) : ids[name];
    if (id === undefined) throw new Error(`Nobody has told a ${name} to call ${method} ${url} with`);
    return encodeURIComponent(id);
  });
  if (method === 'GET' || method === 'HEAD') {
    return { method, url: url.startsWith('/tenants/') ? path : `${path}?tenant_id=${tenant_id}` };
  }
  const body = bodies.get(`${method} ${decodeURIComponent(path)}`);
  if (body === undefined || (method !== 'PUT' && method !== 'POST')) {
    throw new Error(`Nobody has told what to call ${method} ${url} with`);
  }
  return { method, url: path, headers: json, payload: JSON.stringify(body) };
}

/** The same call for another tenant, whatever is asked of it and wherever it is named. */
export function inTenant(tenant: PopulatedTenant, tenantId: string): PopulatedTenant {
  const renamed = (text: string) => text.replaceAll(`/tenants/${tenant.tenant_id}/`, `/tenants/${tenantId}/`);
  return {
    ...tenant,
    tenant_id: tenantId,
    ids: { ...tenant.ids, tenant_id: tenantId },
    bodies: new Map([...tenant.bodies].map(([key, body]) => [renamed(key), ofTenant(body, tenantId)])),
  };
}

function ofTenant(body: unknown, tenantId: string): unknown {
  const fields = JSON.stringify(body, (key, value: unknown) => (key === 'tenant_id' ? tenantId : value));
  const changed: unknown = JSON.parse(fields);
  return changed;
}

function settledKey({ idempotency_key = '' }: PopulatedTenant['ids']): string {
  return `${idempotency_key}-settled`;
}

const json = { 'content-type': 'application/json' };

function expectDone({ status, text }: { status: number; text: string }): void {
  if (status !== 200 && status !== 201) throw new Error(`A tenant was not populated: ${status} ${text}`);
}

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
