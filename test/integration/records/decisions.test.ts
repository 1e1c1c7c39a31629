import { Type, type Static } from '@sinclair/typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findingReasons } from '../../../src/domain/reasons.js';
import { isAskedAt, rules, type DecidingPhase, type FindingReason } from '../../../src/domain/rules.js';
import { decisionStatuses } from '../../../src/domain/vocabulary.js';
import type { Answer } from '../../support/answer.js';
import { edited, valueAt, type Edit } from '../../support/edit-json.js';
import { toldOf } from '../../support/expect-stop.js';
import { readFixture } from '../../support/read-fixture.js';
import {
  changeRecord,
  everyRecord,
  isRecordName,
  recordsOfTenant,
  writeMatchingRecords,
} from '../../support/records.js';
import { requestsOf, type Requests } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const oneOf = <const Literals extends readonly string[]>(literals: Literals) =>
  Type.Union(literals.map((literal: Literals[number]) => Type.Literal(literal)));
const closed = { additionalProperties: false };

const changes = {
  set: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  remove: Type.Optional(Type.Array(Type.String())),
};
const Changes = Type.Object(changes, closed);
const Step = Type.Union([
  /** Writes a record of the session again, changed. */
  Type.Object({ change: Type.String(), ...changes }, closed),
  Type.Object({ put: Type.String(), body: Type.Unknown() }, closed),
  Type.Object({ post: Type.String(), body: Type.Unknown() }, closed),
  Type.Object({ seal: Changes }, closed),
  Type.Object({ resume: Changes }, closed),
]);
type Step = Static<typeof Step>;
const Steps = Type.Optional(Type.Array(Type.Union([Type.String(), Step])));

const common = {
  /** Absent where nothing is found. */
  rule: Type.Optional(oneOf(findingReasons)),
  situation: Type.String(),
  without: Type.Optional(Type.Union([Type.Literal('everything'), Type.Array(Type.String())])),
  before: Steps,
  seal: Type.Optional(Changes),
  http: Type.Integer(),
  status: Type.Optional(oneOf(decisionStatuses)),
  findings: Type.Array(oneOf(findingReasons)),
  missing: Type.Optional(Type.Array(Type.String())),
  /** Key and capability of each effect that has to be settled. */
  reconciliation: Type.Optional(Type.Array(Type.Tuple([Type.String(), Type.String()]))),
};
const SealingCase = Type.Object(common, closed);
const RehydrationCase = Type.Object(
  {
    ...common,
    after: Steps,
    resume: Type.Optional(Changes),
    /** The session in whose chain the event stands, if it isn't the envelope's. */
    event_session: Type.Optional(Type.String()),
  },
  closed,
);
type RecordCase = Static<typeof RehydrationCase>;

const fixture = readFixture(
  'record-cases.json',
  Type.Object({
    steps: Type.Record(Type.String(), Step),
    rehydration: Type.Array(RehydrationCase),
    sealing: Type.Array(SealingCase),
  }),
);
const steps = new Map(Object.entries(fixture.steps));

let gate: TestApp;

beforeAll(async () => {
  gate = await createTestApp();
});

afterAll(() => gate.close());

describe('at rehydration', () => {
  it('every rule that records can break has a case', () => {
    const reachable = rulesOf('rehydration').filter(
      // No call can change a stored envelope, and an envelope is looked up under the presented tenant.
      (rule) =>
        !['schema_version_unsupported', 'envelope_integrity_mismatch', 'tenant_mismatch'].includes(rule),
    );

    expect(ruledBy(fixture.rehydration)).toEqual(reachable);
  });

  it.each(numbered(fixture.rehydration, 'resume'))('$rule: $situation', async ({ prefix, ...read }) => {
    const run = requestsOf(prefix);
    const { seal, after, resume, event_session, ...expected } = withPrefix(read, prefix);
    await prepare(run, expected);
    expect((await gate.seal(edited(run.sealRequest(), seal ?? {}))).status).toBe(201);
    await takeAll(run, after);

    const answer = await gate.rehydrate(edited(resumption(run), resume ?? {}));

    const session_id = event_session ?? run.session_id;
    const reported = await expectDecision(answer, { ...expected, run, session_id, phase: 'rehydration' });
    expect(reported).toBe(
      expected.findings.length === 0 ? 'context_rehydration' : 'continuity_validation_failed',
    );
  });
});

describe('at sealing', () => {
  it('every rule that sealing asks has a case', () => {
    expect(ruledBy(fixture.sealing)).toEqual(rulesOf('sealing'));
  });

  it.each(numbered(fixture.sealing, 'seal'))('$rule: $situation', async ({ prefix, ...read }) => {
    const run = requestsOf(prefix);
    const { seal, ...expected } = withPrefix(read, prefix);
    await prepare(run, expected);
    const before = await envelopesOf(run);

    const answer = await gate.seal(edited(run.sealRequest(), seal ?? {}));

    const sealed = (await envelopesOf(run)).length - before.length;
    if (expected.findings.length === 0) {
      expect([answer.status, sealed]).toEqual([201, 1]);
    } else {
      await expectDecision(answer, { ...expected, run, session_id: run.session_id, phase: 'compaction' });
      expect(sealed).toBe(0);
    }
  });
});

type ExpectedDecision = Pick<RecordCase, 'http' | 'status' | 'findings' | 'missing' | 'reconciliation'> & {
  readonly run: Requests;
  readonly session_id: string;
  readonly phase: string;
};

/** Holds an answer to what the case says, and the event and the stored decision to the answer. Returns the event's type. */
async function expectDecision(answer: Answer, expected: ExpectedDecision): Promise<string> {
  const { run, session_id } = expected;
  const findings = expected.findings.map((reason) => ({ reason }));
  const decision = {
    status: expected.status,
    reason: expected.findings[0] ?? 'continuity_validated',
    findings,
    authorized: false,
    requires_reauthorization: true,
    control_state_source: 'records',
  };
  const told = toldOf(expected.findings).map((reason) => ({ reason }));
  expect(answer.body).toMatchObject({ ...decision, findings: told });
  expect(answer.status).toBe(expected.http);
  expect(valueAt(answer.body, '/missing')).toEqual(expected.missing);
  expect(valueAt(answer.body, '/reconciliation')).toEqual(
    expected.reconciliation?.map(([idempotency_key, capability_name]) => ({
      idempotency_key,
      capability_name,
      href: `/tenants/${run.tenant_id}/side-effects/${idempotency_key}/reconciliation`,
    })),
  );

  const { status, reason } = decision;
  const event = (await gate.storedEvents({ tenant_id: run.tenant_id, session_id })).at(-1);
  expect(event).toMatchObject({
    event_id: answer.string('/trace_event/event_id'),
    event_type: answer.string('/trace_event/event_type'),
    decision_id: answer.string('/decision_id'),
    status,
    reason,
    payload:
      findings.length === 0
        ? { validation_result: reason }
        : { phase: expected.phase, status, reason, findings },
  });
  const replay = await gate.get(`/decisions/${answer.string('/decision_id')}`, { tenant_id: run.tenant_id });
  expect(replay.body).toMatchObject({ ...decision, replayed: { status, reason, same: true } });
  return answer.string('/trace_event/event_type');
}

async function prepare(run: Requests, { without = [], before }: Pick<RecordCase, 'without' | 'before'>) {
  const left = without === 'everything' ? [...everyRecord, 'events'] : without;
  await writeMatchingRecords(gate, run, { without: left });
  await takeAll(run, before);
}

async function takeAll(run: Requests, list: RecordCase['before'] = []): Promise<void> {
  for (const entry of list) {
    const step = typeof entry === 'string' ? steps.get(entry) : entry;
    if (!step) throw new Error(`There is no step ${JSON.stringify(entry)}`);
    const { status, text } = await take(run, withPrefix(step, prefixOf(run)));
    if (status >= 300) throw new Error(`${JSON.stringify(step)} was refused: ${text}`);
  }
}

function take(run: Requests, step: Step): Promise<Answer> {
  const records = recordsOfTenant(gate, run.tenant_id);
  if ('put' in step) return records.put(step.put, step.body);
  if ('post' in step) return records.post(step.post, step.body);
  if ('seal' in step) return gate.seal(edited(run.sealRequest(), step.seal));
  if ('resume' in step) return gate.rehydrate(edited(resumption(run), step.resume));
  if (!isRecordName(step.change)) throw new Error(`There is no record ${step.change}`);
  return changeRecord(gate, run, step.change, editOf(step));
}

function editOf({ set = {}, remove = [] }: Edit): Edit {
  return { set, remove };
}

/** From records alone. */
function resumption(run: Requests) {
  return run.rehydrateRequest({ current_state: undefined, source_event_range: undefined });
}

function envelopesOf({ tenant_id }: Requests) {
  return gate.query('select envelope_id from envelopes where tenant_id = $1', [tenant_id]);
}

function rulesOf(phase: DecidingPhase): FindingReason[] {
  return rules.filter((rule) => isAskedAt(phase, rule)).map(({ reason }) => reason);
}

/** The rules that the cases are about, in the order in which they first come up. */
function ruledBy(cases: readonly Pick<RecordCase, 'rule'>[]): FindingReason[] {
  return [...new Set(cases.flatMap(({ rule }) => rule ?? []))];
}

/** Gives every case ids of its own. */
function numbered<Case extends Pick<RecordCase, 'rule'>>(cases: readonly Case[], name: string) {
  return cases.map((read, index) => ({ ...read, rule: read.rule ?? 'nothing', prefix: `${name}${index}` }));
}

function prefixOf({ session_id }: Requests): string {
  return session_id.replace(/-session$/, '');
}

function withPrefix<T>(value: T, prefix: string): T {
  return JSON.parse(JSON.stringify(value).replaceAll('{run}', prefix)) as T;
}
