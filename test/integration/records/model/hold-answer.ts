import type { Answer } from '../../../support/answer.js';
import { valueAt } from '../../../support/edit-json.js';
import type { ExpectedDecision } from './decisions.js';
import type { Expected } from './store.js';
import type { Real } from './world.js';

/** Holds the answer to a write to what the model expects: the status, and the code or the revision. */
export function holdAnswer(call: string, answer: Answer, expected: Expected, { tally }: Real): void {
  const [pointer, told] = 'code' in expected ? ['/code', expected.code] : ['/revision', expected.revision];
  const got = told === undefined ? undefined : valueAt(answer.body, pointer);
  compare(call, answer, [expected.status, told], [answer.status, got]);
  count(tally, `${call} ${'code' in expected ? expected.code : expected.status}`);
}

/** Holds a decision to what the model expects: the reason, every finding, the epoch and the view. */
export function holdDecision(
  call: string,
  answer: Answer,
  expected: ExpectedDecision,
  { tally }: Real,
): void {
  const { status, reason, findings, epoch, view = {} } = expected;
  const told = (pointer: string) => valueAt(answer.body, pointer);
  const found = told('/findings');
  compare(
    call,
    answer,
    { status, reason, findings, epoch, view },
    {
      status: answer.status,
      reason: reason && (told('/reason') ?? told('/code')),
      findings:
        findings && (Array.isArray(found) ? found.map((finding) => valueAt(finding, '/reason')) : found),
      epoch: epoch === undefined ? undefined : told('/session_epoch'),
      view: Object.fromEntries(Object.keys(view).map((field) => [field, told(`/context_view/${field}`)])),
    },
  );
  count(tally, `${call} ${reason ?? status}`);
}

function compare(call: string, answer: Answer, expected: object, got: object): void {
  const [wanted, found] = [JSON.stringify(expected), JSON.stringify(got)];
  if (wanted === found) return;
  throw new Error(`${call}\nthe model: ${wanted}\nthe gate:  ${found}\n${answer.text.slice(0, 1_500)}`);
}

function count(tally: Map<string, number>, outcome: string): void {
  tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
}
