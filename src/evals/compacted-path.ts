import { setTimeout as sleep } from 'node:timers/promises';

import type { Gate, GateAnswer, GateCall } from './http-gate.js';
import { listIn, memberOf } from './holds.js';
import { PathRun, type Phase, type TimelineEntry } from './path-run.js';
import type { RunIds } from './run-ids.js';
import type { RunnableScenario } from './scenario.js';
import type { Action, Script } from './script.js';
import { envelopeOf, over, resumptionOf, standardSummary, type Body } from './standard-session.js';

/** What came of a session whose context was compacted, and the evidence that it left. */
export interface Compacted {
  /** The answer that decides: the refused boundary's, else the resumption's. */
  readonly answer: GateAnswer;
  readonly at: 'boundary' | 'resume';
  /** What was sent with it, ids as they were sent. */
  readonly sent: Body;
  /** The session's trace, and that of the place that was asked for, if it is another one. */
  readonly trace: readonly unknown[];
  readonly elsewhere: readonly unknown[];
  /** The session's event log as it ended. */
  readonly log: readonly unknown[];
  readonly summaries: readonly string[];
  readonly timeline: readonly TimelineEntry[];
  readonly faults: readonly string[];
}

/** Runs a scenario over its boundary: seal, lose the context, resume, and collect what was left as evidence. */
export async function runCompacted(
  gate: Gate,
  ids: RunIds,
  scenario: RunnableScenario,
  script: Script,
): Promise<Compacted> {
  const path = new CompactedRun(gate, ids, scenario, script);
  await path.play('history', script.history);
  const boundary = await path.seal('boundary', scenario.boundary ?? {}, undefined);
  if (boundary.answer.http >= 300) return path.evidence('boundary', boundary);
  await path.play('afterwards', script.afterwards);
  return path.evidence('resume', await path.resume('resume', scenario.presented ?? {}, undefined));
}

/** How often the trace is read again, and how long after, until it tells of the outcome. */
const traceRetries = 20;
const traceDelay = 250;

interface SessionKey {
  readonly tenant_id: string;
  readonly session_id: string;
}

interface Decided {
  readonly answer: GateAnswer;
  readonly sent: Body;
}

class CompactedRun {
  readonly #run: PathRun;
  readonly #scenario: RunnableScenario;
  readonly #script: Script;
  readonly #summaries = new Set<string>();

  constructor(gate: Gate, ids: RunIds, scenario: RunnableScenario, script: Script) {
    this.#run = new PathRun(gate, ids);
    this.#scenario = scenario;
    this.#script = script;
  }

  async play(phase: Phase, actions: readonly Action[]): Promise<void> {
    for (const action of actions) {
      if (action.kind === 'seal') await this.seal(phase, action.seal, action.answers ?? {});
      else if (action.kind === 'rehydrate') await this.resume(phase, action.rehydrate, action.answers ?? {});
      else await this.#run.write(phase, action);
    }
  }

  /** Without wanted answers it is the boundary itself, whose answer is judged later. */
  async seal(
    phase: Phase,
    { envelope, summary = standardSummary, present_summary = summary, session_epoch }: SealFields,
    answers: Answers,
  ): Promise<Decided> {
    const body = {
      continuity_envelope: over(envelopeOf(this.#script.sheet, 'home', summary), envelope),
      ...(present_summary !== null && { summary: present_summary }),
      ...(session_epoch !== undefined && { session_epoch }),
    };
    this.#summaries.add(summary);
    return this.#post(phase, '/envelopes', 'envelopes:write', body, answers);
  }

  async resume(phase: Phase, presented: Body, answers: Answers): Promise<Decided> {
    const { sheet } = this.#script;
    const summary = this.#scenario.boundary?.summary ?? standardSummary;
    const body = over(resumptionOf(sheet, 'home', summary), presented);
    this.#summaries.add(String(body['summary']));
    return this.#post(phase, '/rehydrate', 'rehydrate', body, answers);
  }

  async evidence(at: Compacted['at'], { answer, sent }: Decided): Promise<Compacted> {
    const { ids } = this.#run;
    const { session_id } = this.#script.sheet;
    const home = { tenant_id: ids.tenants.home, session_id: String(ids.body(session_id, 'session_id')) };
    const asked = { tenant_id: String(sent['tenant_id']), session_id: String(sent['session_id']) };
    const isElsewhere =
      at === 'resume' && (asked.tenant_id !== home.tenant_id || asked.session_id !== home.session_id);
    const log = await this.#read(
      `${ids.path('home', `sessions/${session_id}/events`)}?limit=1000`,
      'records:read',
    );
    return {
      answer,
      at,
      sent,
      ...(await this.#wholeTrace(answer, sent, [home, ...(isElsewhere ? [asked] : [])])),
      log: listIn(log.body, 'events'),
      summaries: [...this.#summaries],
      timeline: this.#run.timeline,
      faults: this.#run.faults,
    };
  }

  /** An event may be told late, while some other transaction is still open: it is waited for. */
  async #wholeTrace(answer: GateAnswer, sent: Body, sessions: readonly SessionKey[]) {
    for (let tries = 0; ; tries += 1) {
      const [trace = [], elsewhere = []] = await Promise.all(sessions.map((session) => this.#trace(session)));
      const isWhole = [trace, elsewhere].every(isWithoutGap);
      const isThere = eventOfOutcome([...trace, ...elsewhere], answer.body, sent) !== undefined;
      if ((isWhole && isThere) || tries >= traceRetries) {
        this.#run.tell('evidence', 'The trace, without the events of written records', {
          answer: [...trace, ...elsewhere].filter((event) => !isAboutARecord(event)),
        });
        return { trace, elsewhere };
      }
      await sleep(traceDelay);
    }
  }

  async #trace(session: SessionKey): Promise<unknown[]> {
    const events: unknown[] = [];
    let cursor: unknown;
    do {
      const query = new URLSearchParams({ ...session, limit: '1000' });
      if (typeof cursor === 'string') query.set('cursor', cursor);
      const { body } = await this.#read(`/trace-events?${query.toString()}`, 'trace:read');
      events.push(...listIn(body, 'events'));
      cursor = memberOf(body, 'next_cursor');
    } while (typeof cursor === 'string');
    return events.sort((one, other) => sequenceOf(one) - sequenceOf(other));
  }

  async #read(path: string, scope: string): Promise<GateAnswer> {
    const call: GateCall = { method: 'GET', path, scope };
    return this.#run.step('evidence', call, { http: 200 });
  }

  async #post(phase: Phase, path: string, scope: string, body: Body, answers: Answers): Promise<Decided> {
    const sent = this.#run.ids.body(body) as Body;
    const call: GateCall = { method: 'POST', path, body: sent, scope };
    const answer = answers
      ? await this.#run.step(phase, call, answers, { note: true })
      : await this.#run.call(phase, call, { note: true });
    return { answer, sent };
  }
}

type SealFields = NonNullable<RunnableScenario['boundary']>;
type Answers = Extract<Action, { kind: 'seal' }>['answers'];

/**
 * The event of an outcome: the one that the answer names, or, where an answer may not say what there is, the one of the
 * run that asked.
 */
export function eventOfOutcome(events: readonly unknown[], answer: unknown, sent: Body): unknown {
  const named = memberOf(memberOf(answer, 'trace_event'), 'event_id');
  return events.find((event) =>
    named === undefined
      ? memberOf(event, 'trace_id') === sent['trace_id'] && memberOf(event, 'decision_id') !== null
      : memberOf(event, 'event_id') === named,
  );
}

export function isAboutARecord(event: unknown): boolean {
  return memberOf(event, 'event_type') === 'control_record_written';
}

function isWithoutGap(events: readonly unknown[]): boolean {
  return events.every((event, index) => sequenceOf(event) === index + 1);
}

function sequenceOf(event: unknown): number {
  return Number(memberOf(event, 'sequence'));
}
