import { Type, type Static, type TSchema } from '@sinclair/typebox';

/**
 * The format of a scenario: what is true of a session, what happens to it, and what the gate must make of it.
 *
 * A scenario speaks the public API and nothing else, so that any implementation of the contract can be put to it. It
 * begins with the standard session (`standard-session.ts`) and says only what is different. Ids are written plainly;
 * the runner gives every run its own. `home` and `other` stand for two tenants, `now`, `now+2s` and `now-1h` for
 * moments by the gate's clock, and `null` leaves a field out of a body.
 */

/** The eight evals that the reference document requires, and the incidents that became public. */
export const evalNames = {
  negative_constraint_enforced: 'A negative user constraint is still enforced',
  approval_not_reusable: 'An expired or revoked approval cannot be reused',
  version_change_forces_decision: 'A changed policy or capability version forces a new decision',
  unknown_effect_not_retried: 'An unknown side effect never becomes an automatic retry',
  identity_cannot_change: 'Tenant and principal cannot change',
  injected_instructions_stay_data: 'Injected instructions inside a summary remain untrusted data',
  obligation_stays_visible: 'An unresolved obligation remains visible',
  trace_links_both_sides: 'The trace links pre-compaction and post-rehydration evidence',
  public_incidents: 'What went wrong in public would have been stopped, or let through, as it should',
} as const;
export type EvalName = keyof typeof evalNames;

const closed = { additionalProperties: false };
const text = (description: string) => Type.String({ minLength: 1, description });
const oneOf = <const L extends readonly string[]>(literals: L, description: string) =>
  Type.Union(
    literals.map((literal) => Type.Literal<L[number]>(literal)),
    { description },
  );
const list = <T extends TSchema>(items: T, description: string) => Type.Array(items, { description });
const json = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const answers = Type.Optional(
  Type.Object(
    {
      http: Type.Optional(Type.Integer({ description: 'Status code; any 2xx if absent.' })),
      body: Type.Optional(Type.Unknown({ description: 'What the body must hold, among other things.' })),
    },
    { ...closed, description: 'The wanted answer of this step.' },
  ),
);
const tenant = Type.Optional(oneOf(['home', 'other'], 'Tenant of the path; `home` if absent.'));

/** Writes a record. The body says what differs from the last one written to the path. */
export const PutStep = Type.Object(
  {
    put: text('Path below /tenants/{tenant_id}/, its ids as they are.'),
    body: json('Over the body last written to this path.'),
    tenant,
    answers,
  },
  { ...closed, title: 'PutStep' },
);

export const PostStep = Type.Object(
  {
    post: text('Path below /tenants/{tenant_id}/: events or a reconciliation.'),
    body: json('The body.'),
    tenant,
    answers,
  },
  { ...closed, title: 'PostStep' },
);

const sealFields = {
  envelope: Type.Optional(json('Over the envelope that tells the truth.')),
  summary: Type.Optional(text('The summary that is bound; the standard one if absent.')),
  present_summary: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'Sent along in place of the bound summary; null: none is sent.',
    }),
  ),
  session_epoch: Type.Optional(Type.Integer({ description: 'Epoch that the sealing run presents.' })),
};

export const SealStep = Type.Object(
  { seal: Type.Object(sealFields, closed), answers },
  { ...closed, title: 'SealStep', description: 'POST /envelopes. Has no counterpart in a full history.' },
);

export const RehydrateStep = Type.Object(
  { rehydrate: json('Over the standard request: another run resumes.'), answers },
  { ...closed, title: 'RehydrateStep', description: 'POST /rehydrate, before the one that is judged.' },
);

export const WaitStep = Type.Object(
  { wait_until: text('A moment, as `now+5s`: that long after the beginning.') },
  { ...closed, title: 'WaitStep', description: 'Time passes.' },
);

export const Step = Type.Union([PutStep, PostStep, SealStep, RehydrateStep, WaitStep]);
export type Step = Static<typeof Step>;

const Constraint = Type.Object(
  {
    ref: text('Its reference.'),
    text: text('Its exact text.'),
    forbids_capability: Type.Optional(text('What it forbids.')),
  },
  closed,
);

/** What is true of a session at its boundary: the complete history, and what the run is about to do. */
export const SessionSheet = Type.Object(
  {
    session_id: text('The session.'),
    principal_id: text('Whom it acts for.'),
    authorization_mode: text('What its authority rests on.'),
    delegated_principal_id: Type.String({ description: 'Whose authority is delegated.' }),
    delegated_scope: Type.String({ description: 'What is delegated.' }),
    policy_version: text('Policy under which it was decided.'),
    capability_name: text('What the run is about to call.'),
    capability_version: text('Version of the capability that it knows.'),
    approval_id: text('Approval of the call.'),
    action_digest: text('Digest of the call.'),
    approval_expires_at: text('When the approval runs out.'),
    idempotency_key: text('Key of the call.'),
    side_effect_status: text('What the run knows of the effect.'),
    checkpoint_ref: text('Where it stands.'),
    sandbox_snapshot_ref: Type.Union([text('Where its sandbox stands.'), Type.Null()]),
    budget_remaining: Type.Union([Type.Number({ description: 'What it may still spend.' }), Type.Null()]),
    objective: text('What it is to achieve.'),
    constraints: list(Constraint, 'What the user has forbidden or demanded.'),
    obligations: list(Type.String(), 'What it owes.'),
    events: list(Type.String(), 'The ids of its event log, in order.'),
    reset_reason: text('Why its context ends here.'),
  },
  { ...closed, title: 'SessionSheet' },
);
export type SessionSheet = Static<typeof SessionSheet>;

const finding = Type.String({ description: 'Reason of a finding.' });

/** What a gate that keeps the contract answers. */
export const Wanted = Type.Object(
  {
    at: Type.Optional(oneOf(['boundary', 'resume'], 'Where the decision falls; `resume` if absent.')),
    status: oneOf(
      ['reauthorization_required', 'blocked_on_reconciliation', 'continuity_validation_failed'],
      'The decision.',
    ),
    reason: text('The reason.'),
    findings: Type.Optional(list(finding, 'Every finding in order; just the reason if absent.')),
    events: list(Type.String(), "The session's trace in order, without the written records."),
    answer: Type.Optional(Type.Unknown({ description: 'What the answer must hold, among other things.' })),
    absent: Type.Optional(list(Type.String(), 'Members that the answer must not have.')),
  },
  { ...closed, title: 'Wanted' },
);
export type Wanted = Static<typeof Wanted>;

const Source = Type.Object(
  {
    id: text('Id of the incident.'),
    year: Type.Integer(),
    url: text('Where it was told.'),
    what_happened: text('In a sentence.'),
  },
  { ...closed, title: 'Source' },
);

const described = {
  title: text('The situation in a sentence.'),
  eval: oneOf(Object.keys(evalNames) as EvalName[], 'The eval that it belongs to.'),
  why: text('Why the wanted decision is the right one.'),
  source: Type.Optional(Source),
};

/** A scenario that is run. */
export const RunnableScenario = Type.Object(
  {
    ...described,
    catches: Type.Optional(
      oneOf(
        ['lucky_gate', 'over_strict_gate'],
        'A weak gate that passes its neighbours by luck, or a gate that stops too much.',
      ),
    ),
    session: Type.Optional(Type.Partial(SessionSheet, closed)),
    without: Type.Optional(list(Type.String(), 'Paths of standard records that are not there.')),
    history: Type.Optional(
      list(Step, 'After the standard records; the first step to the path of one of them changes it.'),
    ),
    boundary: Type.Optional(
      Type.Object(sealFields, { ...closed, description: 'What is sealed, where it is not the truth.' }),
    ),
    afterwards: Type.Optional(list(Step, 'What changes while the run is away.')),
    presented: Type.Optional(json('Over the standard request to resume.')),
    wanted: Wanted,
  },
  { ...closed, title: 'RunnableScenario' },
);
export type RunnableScenario = Static<typeof RunnableScenario>;

/** A scenario that can't be run: it is counted, with its reason. */
export const PendingScenario = Type.Object(
  { ...described, pending: text('Why it can not be run.') },
  { ...closed, title: 'PendingScenario' },
);

export const Scenario = Type.Union([RunnableScenario, PendingScenario], {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Scenario',
  description: 'One scenario of the evals: a session, its boundary, what changes, and the wanted decision.',
});
export type Scenario = Static<typeof Scenario> & {
  /** Path of its file below the scenarios, without the extension. */
  readonly name: string;
};

export function isPending(scenario: Scenario): scenario is Scenario & Static<typeof PendingScenario> {
  return 'pending' in scenario;
}

/** The format as a JSON schema, for editors and for other programs. */
export function scenarioSchema(): string {
  return `${JSON.stringify(Scenario, null, 2)}\n`;
}
