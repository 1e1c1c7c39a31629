import { afterAll, beforeAll, expect, it } from 'vitest';

import { captureLog } from '../../support/log-lines.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

/** A store whose rules are not those that the gate was written for: what a bug of the gate would look like. */

let gate: TestApp;
const log = captureLog('error');

beforeAll(async () => {
  gate = await createTestApp({ logger: log.logger });
});

afterAll(() => gate.close());

const rules = [
  {
    what: 'a guard',
    rule: '23001',
    table: undefined,
    make: `create trigger trace_events_are_full before insert on trace_events
             for each row execute function refuse_change('trace_events')`,
    unmake: 'drop trigger trace_events_are_full on trace_events',
  },
  {
    what: 'a unique key',
    rule: '23505',
    table: 'envelopes',
    make: `create unique index envelopes_are_few on envelopes ((0)) where session_id like '%a unique key-session'`,
    unmake: 'drop index envelopes_are_few',
  },
  {
    what: 'a check',
    rule: '23514',
    table: 'session_heads',
    make: 'alter table session_heads add constraint session_heads_are_short check (trace_sequence = 0) not valid',
    unmake: 'alter table session_heads drop constraint session_heads_are_short',
  },
];

it.each(rules)(
  '$what that refuses what the gate writes is a bug and no outage: 500, a log line and a metric of its own',
  async ({ what, rule, table, make, unmake }) => {
    const [first, second] = [requestsOf(`first ${what}`), requestsOf(`second ${what}`)];
    await gate.seal(first.sealRequest());
    await gate.query(make);
    const before = await broken(rule);

    const sealing = await gate.seal(second.sealRequest());

    await gate.query(unmake);
    expect([sealing.status, sealing.body]).toEqual([
      500,
      expect.objectContaining({ code: 'internal_error' }),
    ]);
    expect(await broken(rule)).toBe(before + 1);
    expect(log.lines('The governed store refused by its rules what the gate wrote')).toContainEqual(
      expect.objectContaining({
        rule,
        err: expect.objectContaining({ code: rule, ...(table !== undefined && { table }) }) as object,
      }),
    );
    expect((await gate.seal(second.sealRequest())).status).toBe(201);
  },
);

it('a resumption that breaks a rule is a stop', async () => {
  const run = requestsOf('stopped');
  await gate.seal(run.sealRequest());
  await gate.query(rules[0]?.make ?? '');

  const answer = await gate.rehydrate(run.rehydrateRequest());

  await gate.query(rules[0]?.unmake ?? '');
  expect([answer.status, answer.body]).toEqual([
    500,
    expect.objectContaining({
      status: 'continuity_validation_failed',
      reason: 'internal_error',
      authorized: false,
    }),
  ]);
});

async function broken(rule: string): Promise<number> {
  const { text } = await gate.inject({ url: '/metrics' });
  return Number(
    new RegExp(`^continuity_gate_broken_rules_total\\{sqlstate="${rule}"\\} (\\d+)$`, 'm').exec(text)?.[1] ??
      0,
  );
}
