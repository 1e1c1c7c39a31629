import { afterAll, expect, it } from 'vitest';

import { buildApp } from '../../../src/http/build-app.js';
import { CarelessDatabase, makeCareless } from './careless-database.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp } from '../../support/test-app.js';
import { testReceipts } from '../../support/test-receipts.js';
import { callOf, inTenant, populate, withRouteTable } from './route-calls.js';

const ours = requestsOf('tenant-a');
const empty = 'tenant-b-tenant';

const gate = await createTestApp();
const tenant = await populate(gate, ours);
await makeCareless((sql) => gate.query<{ definition: string }>(sql));
const careless = new CarelessDatabase({ connectionString: gate.connectionString });
const { built: app, routes } = await withRouteTable(async () =>
  buildApp({
    database: careless,
    schemaVersion: 0,
    access: { mode: 'open', attestedState: true, hostNames: undefined },
    receipts: await testReceipts(),
  }),
);
const reading = routes
  .filter(({ method, url, access }) => method === 'GET' && access !== 'public' && url !== '/metrics')
  .map((route) => [route.url, route] as const);

afterAll(async () => {
  await app.close();
  await careless.close();
  await gate.close();
});

it.each(reading)(
  'GET %s sees nothing of another tenant when the application forgets its filter',
  async (_url, route) => {
    careless.unfiltered.length = 0;
    const call = callOf(route, inTenant(tenant, empty));
    const forgetful = await app.inject(call);
    const careful = await gate.app.inject(call);

    expect(withoutId(forgetful)).toEqual(withoutId(careful));
    expect(careless.unfiltered.length).toBeGreaterThan(0);
    // By the same statement the owner, whom no row-level security holds, is shown what the other tenant has.
    expect(await rowsForOwner()).toBeGreaterThan(0);
  },
);

it('POST /rehydrate finds no envelope of another tenant when the application forgets its filter', async () => {
  careless.unfiltered.length = 0;
  const call = callOf({ method: 'POST', url: '/rehydrate', access: [] }, inTenant(tenant, empty));

  const answer = await app.inject(call);

  expect([answer.statusCode, answer.json<{ reason: string }>().reason]).toEqual([404, 'envelope_not_found']);
  // The owner, whom no row-level security holds, is shown the other tenant's envelope by the same statement.
  const [read] = careless.unfiltered;
  const shown = read && (await gate.query<{ envelope: unknown }>(read.text, read.values));
  expect(shown).not.toHaveLength(0);
  expect(shown?.map(({ envelope }) => envelope)).not.toContain(null);
});

/** How many rows the statements without their filters give the owner of the tables. */
async function rowsForOwner(): Promise<number> {
  const rows = [];
  for (const { text, values } of careless.unfiltered) rows.push(...(await gate.query(text, values)));
  return rows.length;
}

function withoutId({ statusCode, payload }: { statusCode: number; payload: string }) {
  return { statusCode, text: payload.replace(/"request_id":"[^"]*"/, '') };
}
