import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const runs = [requestsOf('ours'), requestsOf('theirs')];
const insufficientPrivilege = { code: '42501' };

let gate: TestApp;
let reader: Client;

beforeAll(async () => {
  gate = await createTestApp();
  for (const run of runs) expect((await gate.seal(run.sealRequest())).status).toBe(201);
  reader = new Client({
    connectionString: gate.connectionString,
    options: '-c role=continuity_gate_reader',
  });
  await reader.connect();
});

afterAll(async () => {
  await reader.end();
  await gate.close();
});

it('sees the evidence of every tenant', async () => {
  const { rows } = await reader.query<{ tenant_id: string }>(
    'select distinct tenant_id from trace_events order by tenant_id',
  );

  expect(rows.map(({ tenant_id }) => tenant_id)).toEqual(runs.map(({ tenant_id }) => tenant_id).sort());
});

it('sees envelopes without their objective', async () => {
  const { rows } = await reader.query<{ envelope: Record<string, unknown> }>(
    'select envelope from sealed_envelopes',
  );

  expect(rows).toHaveLength(runs.length);
  for (const { envelope } of rows) expect(Object.keys(envelope)).not.toContain('objective');
});

it.each(['envelope from envelopes', 'objective from sessions', 'text from constraints'])(
  'may not read free text: select %s',
  async (selection) => {
    await expect(reader.query(`select ${selection}`)).rejects.toMatchObject(insufficientPrivilege);
  },
);

it('may write nothing in any table', async () => {
  const rights = await gate.query(
    `select relname, privilege
       from pg_class, unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES']) as privilege
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
        and has_table_privilege('continuity_gate_reader', pg_class.oid, privilege)`,
  );

  expect(rights).toEqual([]);
});
