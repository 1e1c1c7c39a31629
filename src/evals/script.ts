import type { RunnableScenario, SessionSheet, Step } from './scenario.js';
import { over, recordsOf, standardSession, type Body, type RecordWrite } from './standard-session.js';

type SealFields = NonNullable<RunnableScenario['boundary']>;
type Answers = { readonly http?: number; readonly body?: unknown } | undefined;

/** What a runner does, one thing after the other. */
export type Action =
  | ({ readonly kind: 'write'; readonly tenant: 'home' | 'other'; readonly answers: Answers } & RecordWrite)
  | { readonly kind: 'seal'; readonly seal: SealFields; readonly answers: Answers }
  | { readonly kind: 'rehydrate'; readonly rehydrate: Body; readonly answers: Answers }
  | { readonly kind: 'wait'; readonly until: string };

/** A scenario with everything that it only hints at. */
export interface Script {
  readonly sheet: SessionSheet;
  readonly history: readonly Action[];
  readonly afterwards: readonly Action[];
}

/**
 * Unfolds a scenario: the standard records, changed by the history, then what follows. A body says only what differs
 * from the last one that was put to its path, so that a scenario shows nothing but the change.
 */
export function unfold(scenario: RunnableScenario): Script {
  const sheet: SessionSheet = { ...standardSession, ...scenario.session };
  const absent = new Set(scenario.without);
  const standard = recordsOf(sheet).filter(({ path }) => !absent.has(path));
  const { changed, further } = splitHistory(standard, scenario.history ?? []);
  const bodies = new Map<string, Body>();
  const toAction = (step: Step) => actionOf(step, bodies);
  const history = [
    ...standard.map((write): Action => {
      const step = changed.get(write.path);
      const body = over(write.body, step?.body);
      bodies.set(`home/${write.path}`, body);
      return { kind: 'write', tenant: 'home', answers: step?.answers, ...write, body };
    }),
    ...further.map(toAction),
  ];
  return { sheet, history, afterwards: (scenario.afterwards ?? []).map(toAction) };
}

type PutStep = Extract<Step, { put: string }>;

/** The first step to the path of a standard record changes that record; all the others come after it. */
function splitHistory(standard: readonly RecordWrite[], history: readonly Step[]) {
  const paths = new Set(standard.map(({ path }) => path));
  const changed = new Map<string, PutStep>();
  const further: Step[] = [];
  for (const step of history) {
    if ('put' in step && step.tenant !== 'other' && paths.has(step.put) && !changed.has(step.put)) {
      changed.set(step.put, step);
    } else {
      further.push(step);
    }
  }
  return { changed, further };
}

function actionOf(step: Step, bodies: Map<string, Body>): Action {
  if ('wait_until' in step) return { kind: 'wait', until: step.wait_until };
  const { answers } = step;
  if ('seal' in step) return { kind: 'seal', seal: step.seal, answers };
  if ('rehydrate' in step) return { kind: 'rehydrate', rehydrate: step.rehydrate, answers };
  const { tenant = 'home' } = step;
  if ('post' in step) {
    return { kind: 'write', tenant, method: 'POST', path: step.post, body: step.body, answers };
  }
  const place = `${tenant}/${step.put}`;
  const body = over(bodies.get(place) ?? {}, step.body);
  // What was refused has changed nothing.
  if (answers?.http === undefined || answers.http < 300) bodies.set(place, body);
  return { kind: 'write', tenant, method: 'PUT', path: step.put, body, answers };
}
