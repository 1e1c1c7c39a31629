import { describe, expect, it } from 'vitest';

import { missingIn } from '../../../src/evals/holds.js';
import { html } from '../../../src/evals/report/html.js';
import { junitReport } from '../../../src/evals/report/junit-report.js';
import { tableReport } from '../../../src/evals/report/table-report.js';
import type { Result } from '../../../src/evals/run-evals.js';
import { RunIds } from '../../../src/evals/run-ids.js';

const pending: Result = {
  kind: 'pending',
  reason: 'Not <yet> & "never"\u0000',
  scenario: {
    name: 'public_incidents/cg-000',
    title: "It's <b>bold</b>",
    eval: 'public_incidents',
    why: 'Because.',
    pending: 'Not yet.',
  },
};

describe('a report', () => {
  it('counts what was not run as skipped, in well-formed XML', () => {
    const xml = junitReport([pending]);
    expect(xml).toContain('tests="1" failures="0" errors="0" skipped="1"');
    expect(xml).toContain('pending: Not &lt;yet&gt; &amp; &quot;never&quot;\uFFFD');
  });

  it('says in the table why something was not run', () => {
    expect(tableReport([pending])).toMatch(/pending {2}public_incidents\/cg-000: Not <yet>/);
  });

  it('escapes every value of a page, once', () => {
    const inner = html`<i title="${'"\'>'}">${'<&>'}</i>`;
    expect(html`<p>${[inner, 1]}${undefined}${'\u202e\u001b'}</p>`.text).toBe(
      '<p><i title="&quot;&#39;&gt;">&lt;&amp;&gt;</i>1&lt;U+202E&gt;&lt;U+001B&gt;</p>',
    );
  });
});

describe('what is wanted of an answer', () => {
  it.each([
    [{ a: 1, b: 2 }, { a: 1 }, undefined],
    [{ a: [{ b: 1, c: 2 }] }, { a: [{ b: 1 }] }, undefined],
    [{ a: 2 }, { a: 1 }, '/a is 2, wanted 1'],
    [{}, { a: { b: 1 } }, '/a is not there, wanted {"b":1}'],
    [{ a: [1, 2] }, { a: [1] }, '/a is [1,2], wanted [1]'],
    [null, { a: 1 }, 'the body is null, wanted {"a":1}'],
  ])('of %j is %j', (actual, wanted, fault) => {
    expect(missingIn(actual, wanted)).toBe(fault);
  });
});

describe('the ids of a run', () => {
  const ids = new RunIds('run-1', { home: 'tenant-a', other: 'tenant-b' });

  it('are its own, and nothing else is changed', () => {
    const body = {
      tenant_id: 'other',
      session_id: 's',
      exact_constraint_refs: ['c'],
      delegated_principal_id: '',
      n: 1,
    };
    const sent = {
      tenant_id: 'tenant-b',
      session_id: 'run-1.s',
      exact_constraint_refs: ['run-1.c'],
      delegated_principal_id: '',
      n: 1,
    };
    expect(ids.body(body)).toEqual(sent);
    expect(ids.path('home', 'sessions/a:b/obligations/o')).toBe(
      '/tenants/tenant-a/sessions/run-1.a%3Ab/obligations/o',
    );
    expect(ids.plain(JSON.stringify(sent))).not.toContain('run-1');
  });

  it("are timed by the gate's clock, which is learnt once, so that a moment stays the same", () => {
    ids.learnClock({ updated_at: new Date(Date.now() + 3_600_000).toISOString() });
    const sent = ids.body({ expires_at: 'now+2s', text: 'now is the time' });
    ids.learnClock({ updated_at: '2001-01-01T00:00:00Z' });
    expect(ids.body({ expires_at: 'now+2s', text: 'now is the time' })).toEqual(sent);
    expect(ids.moment('now') - Date.now()).toBeGreaterThan(3_500_000);
    expect(ids.moment('now-1m') - ids.moment('now')).toBe(-60_000);
  });
});
