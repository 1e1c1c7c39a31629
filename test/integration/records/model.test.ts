import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { recordsOfTenant } from '../../support/records.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { commands } from './model/commands.js';
import { emptyTenant, sessionOf, type Tenant } from './model/store.js';
import { sessionIds, tenantNames, type Model, type Real } from './model/world.js';

/** Runs at most, and milliseconds after which no other one is begun. */
const runs = 60;
const patience = 20_000;

let gate: TestApp;

beforeAll(async () => {
  gate = await createTestApp();
});

afterAll(() => gate.close());

it(
  'any calls in any order are answered as a small model of the store says',
  { timeout: 120_000 },
  async () => {
    const tally = new Map<string, number>();
    let run = 0;

    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: '+2' }), async (sequence) => {
        run += 1;
        const prefix = `m${run}-`;
        const model: Model = new Map(tenantNames.map((name) => [name, emptyTenant()]));
        await fc.asyncModelRun(() => ({ model, real: { gate, prefix, tally } satisfies Real }), sequence);
        for (const [name, tenant] of model) await expectStored(`${prefix}${name}`, tenant);
      }),
      { numRuns: runs, plugins: [fc.interruptAfterTimeLimit(patience)] },
    );

    const total = [...tally.values()].reduce((sum, count) => sum + count, 0);
    const outcomes = [...tally]
      .sort(([, a], [, b]) => b - a)
      .map(([outcome, count]) => `${outcome}: ${count}`);
    console.log(`${total} commands in ${run} runs\n${outcomes.join('\n')}`);
    expect(total).toBeGreaterThan(0);
  },
);

/** The store holds what the model holds: every record, log and epoch, and one event for every change. */
async function expectStored(tenantId: string, tenant: Tenant): Promise<void> {
  const records = recordsOfTenant(gate, tenantId);
  for (const [path, { body, revision }] of tenant.records) {
    expect((await records.get(path)).body).toMatchObject({ ...body, revision });
  }
  for (const id of sessionIds) {
    const { epoch, log, traced } = sessionOf(tenant, id);
    expect((await records.get(`sessions/${id}/events?limit=1000`)).body).toMatchObject({
      events: log.map((event, index) => ({ ...event, sequence: index + 1 })),
    });
    if (traced === 0) continue;
    expect((await records.get(`sessions/${id}/epoch`)).body).toMatchObject({ session_epoch: epoch });
    const integrity = await records.get(`sessions/${id}/trace-integrity`);
    expect(integrity.body).toMatchObject({ intact: true, events: traced });
  }
}
