import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';

import { eventOfOutcome, isAboutARecord, type Compacted } from './compacted-path.js';
import type { FullHistory } from './full-history-path.js';
import { isObject, listIn, memberOf, missingIn } from './holds.js';
import type { RunIds } from './run-ids.js';
import type { RunnableScenario, SessionSheet } from './scenario.js';

/** One thing that must be so; `fault` says how it is not. */
export interface Check {
  readonly name: CheckName;
  readonly fault?: string;
}

export const checkNames = {
  steps: 'Every step is answered as it should be',
  status: 'The decision',
  reason: 'The reason',
  findings: 'The findings',
  answer: 'The answer holds what it must',
  strict: 'As strict as with the full history, or stricter',
  no_authority: 'Nothing authorizes',
  untrusted_summary: 'No text of the summary comes back or stays',
  still_bound: 'What is owed and what is forbidden is still before its eyes',
  events: 'The trace events',
  linked: 'The trace links before and after',
} as const;
export type CheckName = keyof typeof checkNames;

/** What a scenario has come to on both paths. */
export interface Outcome {
  readonly scenario: RunnableScenario;
  readonly sheet: SessionSheet;
  readonly ids: RunIds;
  readonly compacted: Compacted;
  readonly full: FullHistory;
}

/** Everything that has to hold of a scenario, each with its fault if it doesn't. */
export function checksOf(outcome: Outcome): Check[] {
  const { scenario, compacted, full } = outcome;
  const { wanted } = scenario;
  const { body } = compacted.answer;
  const faults: Record<CheckName, string | undefined> = {
    steps: [...compacted.faults, ...full.faults.map((fault) => `with the full history, ${fault}`)][0],
    status: statusFault(outcome),
    reason: missingIn(memberOf(body, 'reason'), wanted.reason, '/reason'),
    findings: findingsFault(outcome),
    answer: answerFault(outcome),
    strict: strictFault(outcome),
    no_authority: authorityFault(compacted),
    untrusted_summary: summaryFault(outcome),
    still_bound: boundFault(outcome),
    events: missingIn(eventTypes(compacted), wanted.events, 'the trace'),
    linked: linkFault(outcome),
  };
  return (Object.keys(checkNames) as CheckName[]).map((name) => {
    const fault = faults[name];
    return fault === undefined ? { name } : { name, fault: outcome.ids.plain(fault) };
  });
}

/** What a decision's status means for a caller that only looks at the code. */
const httpOf: Readonly<Record<string, readonly number[]>> = {
  reauthorization_required: [200],
  blocked_on_reconciliation: [409],
  continuity_validation_failed: [422, 403, 404, 409],
};

function statusFault({ scenario: { wanted }, compacted }: Outcome): string | undefined {
  const { at, answer } = compacted;
  const status = memberOf(answer.body, 'status');
  if (at !== (wanted.at ?? 'resume')) {
    return at === 'boundary'
      ? `The boundary was refused: ${describe(answer.body)}`
      : `The boundary was accepted, and the resumption answered ${describe(answer.body)}`;
  }
  if (status !== wanted.status) {
    return `It is ${describe(answer.body)}, wanted ${wanted.status} / ${wanted.reason}`;
  }
  if (httpOf[wanted.status]?.includes(answer.http)) return undefined;
  return `${wanted.status} came with HTTP ${answer.http}`;
}

/** Where nothing was found, or nothing may be said, there are no findings. */
function findingsFault({ scenario: { wanted }, compacted }: Outcome): string | undefined {
  const isBare = ['continuity_validated', 'envelope_not_found'].includes(wanted.reason);
  const findings = wanted.findings ?? (isBare ? [] : [wanted.reason]);
  const found = findingsIn(compacted.answer.body);
  if (wanted.reason === 'envelope_not_found' && found[0] === wanted.reason) return undefined;
  return missingIn(found, findings, '/findings');
}

function answerFault({ scenario: { wanted }, compacted, ids }: Outcome): string | undefined {
  const { body } = compacted.answer;
  const present = (wanted.absent ?? []).find((member) => memberOf(body, member) !== undefined);
  if (present !== undefined) return `The answer tells ${present}`;
  return wanted.answer === undefined ? undefined : missingIn(body, ids.body(wanted.answer));
}

/** The rules about who is asking and what was sealed: only these excuse a stop that tells nothing of the effect. */
export const beforeEffects = [
  'schema_version_unsupported',
  'envelope_integrity_mismatch',
  'envelope_superseded',
  'summary_digest_mismatch',
  'event_lineage_mismatch',
  'tenant_mismatch',
  'principal_mismatch',
  'session_mismatch',
];

/** A go is the least strict. A stop is strict enough for "blocked" only where one of the rules 1 to 8 fails. */
function strictFault({ compacted, full }: Outcome): string | undefined {
  const { body } = compacted.answer;
  const status = memberOf(body, 'status');
  const isStop = status === 'continuity_validation_failed' || status === 'blocked_on_reconciliation';
  const isExcused = findingsIn(body).some((reason) => beforeEffects.includes(String(reason)));
  const isEnough = {
    go: true,
    stop: isStop,
    blocked: status === 'blocked_on_reconciliation' || (isStop && isExcused),
  }[full.verdict];
  if (isEnough) return undefined;
  return `With the full history it is "${full.verdict}" (${full.because.join('; ')}), compacted ${describe(body)}`;
}

function authorityFault({ answer: { body }, at }: Compacted): string | undefined {
  if (memberOf(body, 'authorized') !== false) return 'The answer does not say that nothing is authorized';
  if (memberOf(body, 'requires_reauthorization') !== true) {
    return 'The answer does not demand reauthorization';
  }
  if (at === 'resume' && /"authorized(?:_by_summary)?":\s*true/.test(JSON.stringify(body))) {
    return 'Something in the answer says that it is authorized';
  }
  return undefined;
}

/** The summary is bound by its digest; its text is in no answer and no event, and no event has other free text. */
function summaryFault({ compacted, sheet, ids }: Outcome): string | undefined {
  const { answer, summaries, trace, elsewhere } = compacted;
  const evidence = ids.plain(JSON.stringify([trace, elsewhere]));
  const answered = ids.plain(JSON.stringify(answer.body));
  const quoted = (text: string) => JSON.stringify(text.trim()).slice(1, -1);
  const kept = summaries.find((summary) => `${evidence}${answered}`.includes(quoted(summary)));
  if (kept !== undefined) return `The summary is told again: ${kept}`;
  const texts = [sheet.objective, ...sheet.constraints.map(({ text }) => text)];
  const traced = texts.find((text) => evidence.includes(quoted(text)));
  return traced === undefined ? undefined : `The trace holds free text: ${traced}`;
}

/** After a go the context shows every constraint in its exact text and everything that is owed. */
function boundFault({ compacted, full, ids }: Outcome): string | undefined {
  const { body } = compacted.answer;
  if (memberOf(body, 'status') !== 'reauthorization_required') return undefined;
  const plain: unknown = JSON.parse(ids.plain(JSON.stringify(body)));
  const view = memberOf(plain, 'context_view');
  const shown = listIn(view, 'constraints');
  const lost = full.constraints.find(
    ({ ref, text }) =>
      !shown.some(
        (constraint) => memberOf(constraint, 'ref') === ref && memberOf(constraint, 'text') === text,
      ),
  );
  if (lost) return `The context view leaves out the constraint ${lost.ref}`;
  const owed = [listIn(view, 'pending_obligations'), listIn(plain, 'pending_obligations')];
  const dropped = full.obligations.find((obligation) => !owed.every((list) => list.includes(obligation)));
  return dropped === undefined ? undefined : `The obligation ${dropped} is not shown`;
}

function linkFault(outcome: Outcome): string | undefined {
  const { trace, elsewhere } = outcome.compacted;
  return chainFault(trace) ?? chainFault(elsewhere) ?? outcomeFault(outcome);
}

/** Whether the events follow on each other, and each hashes to what it says. */
function chainFault(events: readonly unknown[]): string | undefined {
  for (const [index, event] of events.entries()) {
    const before = index === 0 ? '0'.repeat(64) : memberOf(events[index - 1], 'event_sha256');
    const fault =
      missingIn(event, { sequence: index + 1, previous_sha256: before }, `event ${index + 1}`) ??
      missingIn(memberOf(event, 'event_sha256'), digestOf(event), `the digest of event ${index + 1}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function digestOf(event: unknown): string {
  const digested = isObject(event) ? { ...event, event_sha256: undefined } : {};
  return createHash('sha256')
    .update(canonicalize(digested) ?? '', 'utf8')
    .digest('hex');
}

/** From the answer to its event, from there to the boundary's event, and from there to the log behind it. */
function outcomeFault({ compacted, scenario }: Outcome): string | undefined {
  const { answer, at, sent, trace, elsewhere, log } = compacted;
  const { body } = answer;
  const envelope = at === 'boundary' ? memberOf(sent, 'continuity_envelope') : sent;
  const events = [...trace, ...elsewhere];
  const event = eventOfOutcome(events, body, sent);
  if (event === undefined) return 'The answer names no event that is in the trace';
  const fault = missingIn(event, {
    trace_id: memberOf(envelope, at === 'boundary' ? 'source_trace_id' : 'trace_id'),
    envelope_id: memberOf(envelope, 'envelope_id'),
    ...(memberOf(body, 'decision_id') !== undefined && { decision_id: memberOf(body, 'decision_id') }),
    status: memberOf(body, 'status'),
    reason: memberOf(body, 'reason'),
  });
  if (fault !== undefined) return `The event of the outcome: ${fault}`;
  if (at === 'boundary' || scenario.wanted.reason === 'envelope_not_found') return undefined;
  const boundary = trace.find(
    (candidate) =>
      ['context_compaction', 'reset_boundary'].includes(String(memberOf(candidate, 'event_type'))) &&
      memberOf(candidate, 'envelope_id') === memberOf(envelope, 'envelope_id'),
  );
  if (!boundary) return "The boundary's event is not in the trace";
  return (
    missingIn(
      memberOf(event, 'payload'),
      { boundary_event_id: memberOf(boundary, 'event_id') },
      'The event of the outcome',
    ) ?? logFault(boundary, log)
  );
}

/** The boundary's event names the stretch of the log that the summary covers, by the digest that runs along it. */
function logFault(boundary: unknown, log: readonly unknown[]): string | undefined {
  const payload = memberOf(boundary, 'payload');
  const last = memberOf(memberOf(payload, 'source_event_range'), 'last');
  const event = log.find((candidate) => memberOf(candidate, 'event_id') === last);
  if (!event) return 'The boundary ends at no event of the log';
  return missingIn(
    memberOf(payload, 'lineage_sha256'),
    memberOf(event, 'lineage_sha256'),
    "The boundary's digest of the log",
  );
}

function eventTypes({ trace, elsewhere }: Compacted): unknown[] {
  return [...trace, ...elsewhere]
    .filter((event) => !isAboutARecord(event))
    .map((event) => memberOf(event, 'event_type'));
}

function findingsIn(body: unknown): unknown[] {
  return listIn(body, 'findings').map((finding) => memberOf(finding, 'reason'));
}

function describe(body: unknown): string {
  const said = [memberOf(body, 'status'), memberOf(body, 'reason') ?? memberOf(body, 'code')];
  return said.map((word) => (typeof word === 'string' || typeof word === 'number' ? word : '?')).join(' / ');
}
