import { setTimeout as sleep } from 'node:timers/promises';

import type { Gate, GateAnswer, GateCall } from './http-gate.js';
import { missingIn } from './holds.js';
import type { RunIds } from './run-ids.js';
import type { Action } from './script.js';

/** The parts of a path, in their order. */
export type Phase = 'history' | 'boundary' | 'afterwards' | 'resume' | 'evidence' | 'oracle';

/** One thing that happened on a path, with the ids as the scenario writes them. */
export interface TimelineEntry {
  readonly phase: Phase;
  /** `PUT /tenants/…`, or a sentence. */
  readonly what: string;
  readonly sent?: unknown;
  readonly http?: number;
  readonly answer?: unknown;
}

/** One of the two runs of a scenario: what was called, what came back, and what should not have. */
export class PathRun {
  readonly ids: RunIds;
  readonly timeline: TimelineEntry[] = [];
  /** Steps that were not answered as they should have been. */
  readonly faults: string[] = [];
  readonly #gate: Gate;

  constructor(gate: Gate, ids: RunIds) {
    this.#gate = gate;
    this.ids = ids;
  }

  /** Calls the gate and notes it; the answer is noted where it is of interest. */
  async call(phase: Phase, call: GateCall, { note }: { readonly note: boolean }): Promise<GateAnswer> {
    const answer = await this.#gate(call);
    this.ids.learnClock(answer.body);
    this.tell(phase, `${call.method} ${this.ids.plain(call.path)}`, {
      ...(call.body !== undefined && { sent: call.body }),
      http: answer.http,
      ...((note || answer.http >= 300) && { answer: answer.body }),
    });
    return answer;
  }

  /** A call that is a step of the scenario: its answer must be the wanted one. */
  async step(
    phase: Phase,
    call: GateCall,
    wanted: { readonly http?: number; readonly body?: unknown } | undefined,
    options = { note: false },
  ): Promise<GateAnswer> {
    const answer = await this.call(phase, call, options);
    const { http } = answer;
    const what = `${call.method} ${this.ids.plain(call.path)}`;
    if (wanted?.http === undefined ? http < 200 || http > 299 : http !== wanted.http) {
      const said = JSON.stringify(answer.body);
      this.faults.push(
        `${what} was answered ${http}, wanted ${wanted?.http ?? '2xx'}: ${said.slice(0, 300)}`,
      );
    } else if (wanted?.body !== undefined) {
      const missing = missingIn(answer.body, this.ids.body(wanted.body));
      if (missing !== undefined) this.faults.push(`${what}: ${missing}`);
    }
    return answer;
  }

  /** Writes control state, or lets time pass; what only the compacted path does is left to it. */
  async write(phase: Phase, action: Extract<Action, { kind: 'write' | 'wait' }>): Promise<void> {
    if (action.kind === 'wait') return this.#waitUntil(phase, action.until);
    const { method, path, body, tenant, answers } = action;
    await this.step(
      phase,
      { method, path: this.ids.path(tenant, path), body: this.ids.body(body), scope: scopeOf(path) },
      answers,
    );
  }

  tell(phase: Phase, what: string, details: Omit<TimelineEntry, 'phase' | 'what'> = {}): void {
    const entry: TimelineEntry = { phase, what, ...details };
    // By way of the text, so that no id of the run is missed.
    const plain: unknown = JSON.parse(this.ids.plain(JSON.stringify(entry)));
    this.timeline.push(plain as TimelineEntry);
  }

  async #waitUntil(phase: Phase, until: string): Promise<void> {
    // The store's clock is asked a little later than the runner's: a little more is waited than what is asked for.
    const left = this.ids.moment(until) - this.ids.now() + 200;
    this.tell(phase, `Time passes until ${until}`);
    if (left > 0) await sleep(left);
  }
}

/** Each kind of record is written by its own system of record. */
function scopeOf(path: string): string {
  if (path.endsWith('/reconciliation')) return 'reconcile';
  if (path.endsWith('/events')) return 'events:write';
  if (path.includes('/obligations/')) return 'obligations:write';
  const kind = path.split('/')[0] ?? '';
  return `${kind === 'side-effects' ? 'effects' : kind}:write`;
}
