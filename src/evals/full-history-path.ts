import type { Gate, GateCall } from './http-gate.js';
import { isObject, listIn, memberOf } from './holds.js';
import { judge, type Asking, type Judgement, type Records } from './oracle.js';
import { PathRun, type TimelineEntry } from './path-run.js';
import type { RunIds } from './run-ids.js';
import type { RunnableScenario, SessionSheet } from './scenario.js';
import type { Action, Script } from './script.js';
import { over, resumptionOf, standardSummary } from './standard-session.js';

/** What somebody decides who has lost nothing, and what such a run still has before its eyes. */
export interface FullHistory extends Judgement {
  /** What is owed now. */
  readonly obligations: readonly string[];
  /** What binds the session now. */
  readonly constraints: readonly { readonly ref: string; readonly text: string }[];
  readonly timeline: readonly TimelineEntry[];
  readonly faults: readonly string[];
}

/** Runs a scenario without any boundary, and lets the oracle decide from the complete history and the records. */
export async function runFullHistory(
  gate: Gate,
  ids: RunIds,
  scenario: RunnableScenario,
  script: Script,
): Promise<FullHistory> {
  const run = new PathRun(gate, ids);
  await play(run, 'history', script.history);
  await play(run, 'afterwards', script.afterwards);
  const { records, obligations } = await readRecords(run, script);
  const told = { ...script.sheet, tenant_id: 'home', taken_over: takeovers(script) };
  const judgement = judge(told, askingIn(scenario, script.sheet), records);
  run.tell('oracle', describe(judgement));
  return {
    ...judgement,
    obligations: obligations.filter(isOpen).map((obligation) => String(obligation['obligation_id'])),
    constraints: records.constraints
      .filter((constraint) => constraint['session_id'] === script.sheet.session_id)
      .filter((constraint) => constraint['constraint_status'] === 'active')
      .map((constraint) => ({ ref: String(constraint['constraint_ref']), text: String(constraint['text']) })),
    timeline: run.timeline,
    faults: run.faults,
  };
}

async function play(run: PathRun, phase: 'history' | 'afterwards', actions: readonly Action[]) {
  for (const action of actions) {
    if (action.kind === 'write' || action.kind === 'wait') await run.write(phase, action);
    else if (action.kind === 'rehydrate') run.tell(phase, 'Another run takes the session over');
  }
}

/** Another run has taken the session over whenever one was let in. */
function takeovers({ history, afterwards }: Script): number {
  return [...history, ...afterwards].filter(
    (action) => action.kind === 'rehydrate' && (action.answers?.http ?? 200) === 200,
  ).length;
}

function askingIn(scenario: RunnableScenario, sheet: SessionSheet): Asking {
  const { tenant_id, session_id, principal_id, session_epoch } = over(
    resumptionOf(sheet, 'home', standardSummary),
    scenario.presented,
  );
  return { tenant_id, session_id, principal_id, session_epoch };
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads every record that the history has written, with the ids as the scenario writes them. */
async function readRecords(run: PathRun, { sheet, history, afterwards }: Script) {
  const written = [...history, ...afterwards].filter(
    (action) => action.kind === 'write' && action.tenant === 'home' && action.method === 'PUT',
  );
  const paths = new Set(written.map((action) => ('path' in action ? action.path : '')));
  const log = `sessions/${sheet.session_id}/events`;
  const [events, ...read] = await Promise.all([
    readLog(run, log),
    ...[...paths].map(async (path) => [path, await readRecord(run, path)] as const),
  ]);
  const found = new Map(read);
  const at = (path: string) => found.get(path) ?? null;
  const below = (folder: string) =>
    [...found].flatMap(([path, record]) => (path.startsWith(folder) && record ? [record] : []));
  const records: Records = {
    now: run.ids.now(),
    policy: at('policy'),
    capability: at(`capabilities/${sheet.capability_name}`),
    principal: at(`principals/${sheet.principal_id}`),
    delegator: at(`principals/${sheet.delegated_principal_id}`),
    session: at(`sessions/${sheet.session_id}`),
    approval: at(`approvals/${sheet.approval_id}`),
    side_effect: at(`side-effects/${sheet.idempotency_key}`),
    side_effects: below('side-effects/'),
    constraints: below('constraints/'),
    events,
  };
  return { records, obligations: below(`sessions/${sheet.session_id}/obligations/`) };
}

async function readRecord(run: PathRun, path: string): Promise<Fields | null> {
  const { http, body } = await read(run, path);
  return http === 200 && isObject(body) ? body : null;
}

async function readLog(run: PathRun, path: string): Promise<unknown[]> {
  const { body } = await read(run, path, '?limit=1000');
  return listIn(body, 'events').map((event) => memberOf(event, 'event_id'));
}

async function read(run: PathRun, path: string, query = '') {
  const call: GateCall = { method: 'GET', path: run.ids.path('home', path) + query, scope: 'records:read' };
  const answer = await run.call('evidence', call, { note: true });
  const plain: unknown = JSON.parse(run.ids.plain(JSON.stringify(answer.body)));
  return { http: answer.http, body: plain };
}

function isOpen(obligation: Fields): boolean {
  return obligation['obligation_status'] === 'open';
}

function describe({ verdict, because }: Judgement): string {
  return verdict === 'go'
    ? 'Nothing speaks against going on'
    : `${verdict === 'blocked' ? 'Stop until it is known what happened' : 'Stop'}: ${because.join('; ')}`;
}
