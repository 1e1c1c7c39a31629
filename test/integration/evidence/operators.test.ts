import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const operations = new URL('../../../src/operations/', import.meta.url);

let gate: TestApp;
let reader: Client;
const requests = requestsOf(randomUUID());
const { tenant_id, session_id } = requests;
const tenant = `/tenants/${tenant_id}`;
const otherSession = `${session_id}-2`;

beforeAll(async () => {
  gate = await createTestApp();
  reader = new Client({ connectionString: gate.connectionString, options: '-c role=continuity_gate_reader' });
  await reader.connect();
  await gate.seal(requests.sealRequest());
  await gate.rehydrate(requests.rehydrateRequest({ summary: 'Another summary.' }));
  await gate.rehydrate(requests.rehydrateRequest());
  await gate.rehydrate(requests.rehydrateRequest({ session_epoch: 0 }));
  await gate.seal(requests.sealRequest({ envelope: { envelope_id: 'late' }, session_epoch: 0 }));
  const effect = {
    session_id: otherSession,
    capability_name: 'create_ticket',
    approval_id: 'operators-approval',
    action_digest: 'sha256:x',
  };
  await put(`${tenant}/side-effects/unknown-1`, { ...effect, side_effect_status: 'side_effect_unknown' });
  await put(`${tenant}/side-effects/unknown-2`, {
    ...effect,
    approval_id: 'operators-approval-2',
    side_effect_status: 'side_effect_unknown',
  });
  await gate.inject({
    method: 'POST',
    url: `${tenant}/side-effects/unknown-2/reconciliation`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ outcome: 'not_started', evidence_refs: ['e:1'], reconciled_by: 'someone' }),
  });
});

afterAll(async () => {
  await reader.end();
  await gate.close();
});

function put(url: string, body: unknown) {
  return gate.inject({
    method: 'PUT',
    url,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
}

describe('the ten queries', async () => {
  const text = await readFile(new URL('queries.sql', operations), 'utf8');
  const queries = text
    .split(/^-- (?=\d+\. )/m)
    .slice(1)
    .map((query) => ({ title: query.split('\n')[0] ?? '', sql: query.split('\n').slice(1).join('\n') }));

  it('are ten', () => {
    expect(queries).toHaveLength(10);
  });

  /** How many rows each one gives on the session above. */
  const rowsOf: Readonly<Record<string, number>> = {
    1: 5,
    2: 1,
    3: 1,
    4: 2,
    5: 0,
    6: 1,
    7: 1,
    8: 2,
    9: 1,
    10: 0,
  };

  it.each(queries)('$title', async ({ title, sql }) => {
    const values: Readonly<Record<string, string>> = {
      tenant: tenant_id,
      session: session_id,
      trace: requests.rehydrateRequest().trace_id,
    };
    const bound = sql.replaceAll(/:'(\w+)'/g, (_match, name: string) =>
      reader.escapeLiteral(values[name] ?? ''),
    );
    const { rows } = await reader.query(bound);
    expect(rows).toHaveLength(rowsOf[Number.parseInt(title)] ?? -1);
  });
});

describe('the views', () => {
  it('show a session from the boundary to what first came of it', async () => {
    const { rows } = await reader.query<{ outcome: string; reason: string; gap: object | null }>(
      'select outcome, reason, gap from session_continuity where tenant_id = $1 and envelope_id = $2',
      [tenant_id, requests.envelope_id],
    );
    expect(rows).toMatchObject([
      { outcome: 'continuity_validation_failed', reason: 'summary_digest_mismatch' },
    ]);
  });

  it('show who is stale, and who holds the session', async () => {
    const { rows } = await reader.query(
      'select phase, held_by from stale_runtimes where tenant_id = $1 order by occurred_at',
      [tenant_id],
    );
    const held_by = requests.rehydrateRequest().runtime_id;
    expect(rows).toEqual([
      { phase: 'rehydration', held_by },
      { phase: 'compaction', held_by },
    ]);
  });
});

describe('the signals', () => {
  const metricsText = async () => (await gate.get('/metrics')).text;

  it('count the unresolved effects of all tenants, and tell the age of the oldest', async () => {
    const text = await metricsText();
    expect(text).toMatch(/^continuity_gate_unresolved_effects 1$/m);
    expect(text).toMatch(/^continuity_gate_oldest_unresolved_effect_seconds \d/m);
  });

  it('know no label that a caller can make', async () => {
    await gate.get(`/nothing-${randomUUID()}`);
    await gate.get(`/envelopes/${randomUUID()}`, { tenant_id: randomUUID() });
    const text = await metricsText();
    const series = text.split('\n').filter((line) => line.startsWith('continuity_gate_'));
    expect(series.filter((line) => /[0-9a-f]{8}-[0-9a-f]{4}/.test(line))).toEqual([]);
    expect(series.some((line) => line.includes('route="unmatched"'))).toBe(true);
  });

  it('drop what is no longer true when the store is away', async () => {
    const away = await createTestApp();
    await away.database.close();
    const { text } = await away.get('/metrics');
    expect(text).not.toMatch(/^continuity_gate_unresolved_effects /m);
    await away.app.close();
  });

  it('are all that the dashboard and the alert rules ask for', async () => {
    const known = new Set(
      (await metricsText()).match(/^# TYPE (continuity_gate_\w+)/gm)?.map((line) => line.slice(7)),
    );
    const rules = parse(await readFile(new URL('alert-rules.yaml', operations), 'utf8')) as {
      groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
    };
    const dashboard = JSON.parse(await readFile(new URL('grafana-dashboard.json', operations), 'utf8')) as {
      panels: { id: number; title: string; targets: { expr: string }[] }[];
    };
    const alerts = rules.groups.flatMap((group) => group.rules);
    const expressions = [
      ...alerts.map(({ expr }) => expr),
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    expect(alerts.every(({ alert, annotations }) => alert !== '' && annotations.summary !== '')).toBe(true);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const asked = expressions.flatMap((expr) => expr.match(/continuity_gate_\w+/g) ?? []);
    const unknown = asked.filter((name) => !known.has(name.replace(/_(bucket|count|sum)$/, '')));
    expect(asked.length).toBeGreaterThan(10);
    expect(unknown).toEqual([]);
  });
});
