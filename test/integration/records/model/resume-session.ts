import fc from 'fast-check';

import { resume, text } from './decisions.js';
import { fittingEnvelope } from './fitting-envelope.js';
import { holdDecision } from './hold-answer.js';
import { sessionOf, type Body } from './store.js';
import {
  command,
  eventId,
  mostly,
  presentedEpoch,
  sessionId,
  sessionIds,
  someOf,
  summary,
  tenantIn,
  tenantName,
  type EpochChange,
  type ModelCommand,
} from './world.js';

/** Resumes from the session's newest envelope, but for what is changed. */
function resumeSession(name: string, session: string, changes: ResumeChanges): ModelCommand {
  return command(
    `resume ${name} ${session} ${JSON.stringify(changes)}`,
    async (model, real) => {
      const tenant = tenantIn(model, name);
      const { presented = summary, epoch = 'none', session_id = session } = changes;
      const envelope_id = changes.envelope_id ?? sessionOf(tenant, session).newest ?? 'e0';
      const sealed = tenant.envelopes.get(envelope_id)?.envelope;
      const envelope = sealed ?? fittingEnvelope(tenant, session, envelope_id);
      const state = changes.state && attestedState(envelope, changes.state);
      const call = {
        envelope_id,
        session_id,
        principal_id: changes.principal_id ?? text(envelope, 'principal_id'),
        session_epoch: presentedEpoch(epoch, sessionOf(tenant, session_id).epoch),
      };
      // Attested state comes with a range.
      const range = changes.range ?? (state && (envelope['source_event_range'] as Body));
      const expected = resume(tenant, { ...call, summaryFits: presented === summary, range, state });

      const tenant_id = real.prefix + name;
      const answer = await real.gate.rehydrate({
        ...call,
        tenant_id,
        trace_id: 'trace-2',
        summary: presented,
        source_event_range: range,
        current_state: state && { ...state, tenant_id },
      });

      holdDecision(state ? 'resume attested' : 'resume', answer, expected, real);
    },
    (model) =>
      changes.envelope_id !== undefined || sessionOf(tenantIn(model, name), session).newest !== undefined,
  );
}

interface ResumeChanges {
  readonly envelope_id?: string;
  readonly session_id?: string;
  readonly principal_id?: string;
  readonly presented?: string;
  readonly range?: Body;
  readonly epoch?: EpochChange;
  /** Changes to a state that agrees with the envelope. */
  readonly state?: Body;
}

/** What the reference's control state has in common with an envelope. */
const attestedFields = [
  'principal_id',
  'authorization_mode',
  'delegated_principal_id',
  'delegated_scope',
  'policy_version',
  'capability_name',
  'capability_version',
  'approval_id',
  'action_digest',
  'idempotency_key',
  'side_effect_status',
  'checkpoint_ref',
];

function attestedState(envelope: Body, changed: Body): Body {
  const agreeing = Object.fromEntries(attestedFields.map((field) => [field, envelope[field]]));
  return { ...agreeing, approval_status: 'approved', ...changed };
}

const states = mostly<Body>(
  {},
  { policy_version: 'v2' },
  { capability_version: 'v2' },
  { approval_status: 'revoked' },
  { side_effect_status: 'side_effect_unknown' },
  { side_effect_status: 'side_effect_committed' },
  { approval_id: 'a1', action_digest: 'd1' },
  { principal_id: 'p1', checkpoint_ref: 'c1' },
  { exact_constraint_refs: ['r0'], pending_obligations: ['o1'] },
);

const changes = someOf<ResumeChanges>([
  fc.constantFrom('e0', 'e1', 'e2').map((envelope_id) => ({ envelope_id })),
  fc.constantFrom(...sessionIds).map((session_id) => ({ session_id })),
  fc.constantFrom({ principal_id: 'p1' }, { principal_id: 'p0' }),
  fc.constant({ presented: 'Another one.' }),
  fc.constantFrom({ epoch: 'current' }, { epoch: 'stale' }),
  fc.tuple(eventId, eventId).map(([first, last]) => ({ range: { first, last } })),
  states.map((state) => ({ state })),
]);

export const resumptions: fc.Arbitrary<ModelCommand> = fc
  .tuple(tenantName, sessionId, changes)
  .map(([tenant, session, change]) => resumeSession(tenant, session, change));
