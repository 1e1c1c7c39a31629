import { actionsOf, listsActions, soleAction } from './actions.js';
import { obligationsNow } from './carry-over.js';
import type { Decision, Finding } from './decide.js';
import type { ControlStateFacts, DecisionFacts, EnvelopeFacts } from './facts.js';
import { missingRecords } from './missing-records.js';
import { rules, type Rule } from './rules.js';
import { versionsOf } from './trace.js';
import type { ControlStateSource } from './vocabulary.js';

/** Absent is what may not be told, or what no finding is about. */
interface Disclosure {
  readonly sealed?: ReturnType<typeof sealedMembers>;
  /** Paths of the absent records. */
  readonly missing?: string[];
  readonly unresolved?: ReturnType<typeof unresolvedEffects>;
}

/** What a stop tells of what was sealed and recorded, as far as whoever asks may know it. */
export function disclose(
  { findings }: Pick<Decision, 'findings'>,
  facts: DecisionFacts,
  table: readonly Rule[] = rules,
): Disclosure {
  const failed = table.filter(({ reason }) => findings.some((finding) => finding.reason === reason));
  if (facts.kind === 'refused' || failed.some(({ identity }) => identity)) return {};
  const { envelope, current } = facts;
  const tells = (member: Rule['discloses']) =>
    failed.some(({ discloses }) => discloses === member) &&
    !failed.some(({ withholds }) => withholds === member);
  return {
    sealed: sealedMembers(envelope, current),
    ...(current && tells('missing') && { missing: missingRecords(envelope, current) }),
    ...(current && tells('reconciliation') && { unresolved: unresolvedEffects(envelope, current) }),
  };
}

/** The findings that may be told: someone who is taken for somebody else learns nothing of what else would stop that run. */
export function toldFindings(findings: Decision['findings'], table: readonly Rule[] = rules): Finding[] {
  const aboutIdentity = new Set<string>(table.flatMap(({ reason, identity }) => (identity ? [reason] : [])));
  const last = findings.findLastIndex(({ reason }) => aboutIdentity.has(reason));
  return last === -1 ? findings : findings.slice(0, last + 1);
}

/** What was sealed, beside what the ledger says of the effect. */
export function sealedMembers(envelope: EnvelopeFacts, current: ControlStateFacts | null) {
  return {
    source_trace_id: envelope.source_trace_id,
    checkpoint_ref: envelope.checkpoint_ref,
    versions: versionsOf(envelope),
    ...toldActions(envelope, current),
    pending_obligations: obligationsNow(envelope, current).pending,
  };
}

/** What was to be done, with what the ledger says of it; null where it says nothing. */
function toldActions(envelope: EnvelopeFacts, current: ControlStateFacts | null) {
  if (!listsActions(envelope)) {
    return {
      idempotency_key: soleAction(envelope).idempotency_key,
      side_effect_status: current?.actions[0]?.side_effect?.side_effect_status ?? null,
    };
  }
  return {
    pending_actions: actionsOf({ envelope, current }).map(({ frozen, side_effect }) => ({
      ...frozen,
      side_effect_status: side_effect?.side_effect_status ?? null,
    })),
  };
}

/** Where no records speak, the caller's word is all there is. */
export function controlStateSourceOf(facts: DecisionFacts): ControlStateSource {
  if (facts.kind === 'refused') return facts.refusal === 'attested_state_refused' ? 'attested' : 'records';
  return facts.current?.source ?? 'attested';
}

/** Every effect of the session that has to be settled first, the frozen actions' own before the others. */
function unresolvedEffects(envelope: EnvelopeFacts, current: ControlStateFacts) {
  const own = actionsOf({ envelope, current }).flatMap(({ frozen: { idempotency_key }, side_effect }) =>
    side_effect?.side_effect_status === 'side_effect_unknown'
      ? [{ idempotency_key, capability_name: side_effect.capability_name }]
      : [],
  );
  return [...own, ...current.other_unknown_side_effects];
}
