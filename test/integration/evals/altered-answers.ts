import { isObject, memberOf } from '../../../src/evals/holds.js';
import type { GateAnswer, GateCall } from '../../../src/evals/http-gate.js';
import type { EvalName } from '../../../src/evals/scenario.js';

/** A gate that decides well and tells it badly, and the eval that must notice. */
export interface AlteredAnswer {
  readonly name: string;
  readonly caughtBy: EvalName;
  alter(answer: GateAnswer, call: GateCall): GateAnswer;
}

export const alteredAnswers: readonly AlteredAnswer[] = [
  altered('does not name the boundary in its events', 'trace_links_both_sides', '/trace-events', (text) =>
    text.replaceAll(/"boundary_event_id":"[^"]+"/g, '"boundary_event_id":null'),
  ),
  altered('names another boundary in its events', 'trace_links_both_sides', '/trace-events', (text) =>
    text.replaceAll(
      /"boundary_event_id":"[^"]+"/g,
      '"boundary_event_id":"00000000-0000-7000-8000-000000000000"',
    ),
  ),
  altered('rewrites its trace', 'trace_links_both_sides', '/trace-events', (text) =>
    text.replaceAll('"actor":"open"', '"actor":"nobody"'),
  ),
  altered('gives another digest of the log', 'trace_links_both_sides', '/trace-events', (text) =>
    text.replaceAll(/"lineage_sha256":"[^"]+"/g, '"lineage_sha256":"0"'),
  ),
  altered('says that a go is an authorization', 'injected_instructions_stay_data', '/rehydrate', (text) =>
    text.replaceAll('"authorized":false', '"authorized":true'),
  ),
  altered('trusts the summary', 'injected_instructions_stay_data', '/rehydrate', (text) =>
    text.replaceAll('"trust":"untrusted"', '"trust":"trusted"'),
  ),
  {
    name: 'gives the summary back',
    caughtBy: 'injected_instructions_stay_data',
    alter: ({ http, body }, { path, body: sent }) => ({
      http,
      body: path === '/rehydrate' && isObject(body) ? { ...body, echo: memberOf(sent, 'summary') } : body,
    }),
  },
  altered('keeps silent about what is owed', 'obligation_stays_visible', '/rehydrate', (text) =>
    text.replaceAll(/"pending_obligations":\[[^\]]*\]/g, '"pending_obligations":[]'),
  ),
  altered('paraphrases constraints', 'negative_constraint_enforced', '/rehydrate', (text) =>
    text.replaceAll(/"text":"[^"]+"/g, '"text":"Be careful."'),
  ),
  {
    name: 'answers every stop with 200',
    caughtBy: 'unknown_effect_not_retried',
    alter: ({ http, body }, { path }) => ({ http: path === '/rehydrate' ? 200 : http, body }),
  },
  altered('tells strangers what was sealed', 'identity_cannot_change', '/rehydrate', (text) =>
    text.replace(
      '"reason":"principal_mismatch"',
      '"checkpoint_ref":"checkpoint","reason":"principal_mismatch"',
    ),
  ),
];

function altered(
  name: string,
  caughtBy: EvalName,
  path: string,
  rewrite: (text: string) => string,
): AlteredAnswer {
  return {
    name,
    caughtBy,
    alter: (answer, call) => {
      if (!call.path.startsWith(path)) return answer;
      const body: unknown = JSON.parse(rewrite(JSON.stringify(answer.body)));
      return { ...answer, body };
    },
  };
}
