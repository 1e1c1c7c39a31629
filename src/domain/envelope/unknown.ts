import { sha256Digest } from '../digest.js';
import type { EnvelopeFacts, FrozenAction } from '../facts.js';
import { authorizationModes, sideEffectStatuses } from '../vocabulary.js';
import type { SealedEnvelope } from './sealed.js';
import type { SourceEventRange } from './source-event-range.js';

/** The version that a stored envelope says it has; undefined if it says none. */
export function versionOf(envelope: unknown): string | undefined {
  const version = memberOf(envelope, 'schema_version');
  return typeof version === 'string' ? version : undefined;
}

/**
 * What can be told of an envelope of a version that this gate doesn't know: the keys that it is stored under, and what
 * versions have in common as far as it is there.
 *
 * It is refused in any case. What it lacks is empty, so that it belongs to nobody and nobody is told anything of it.
 */
export function factsInCommon({ envelope, constraint_digests, ...kept }: SealedEnvelope): EnvelopeFacts {
  const text = (key: string) => textOr(memberOf(envelope, key), '');
  const objective = memberOf(envelope, 'objective');
  const budget = memberOf(envelope, 'budget_remaining');
  const digests = new Map(Object.entries(constraint_digests));
  return {
    schema_version: text('schema_version'),
    envelope_id: kept.envelope_id,
    envelope_sha256: kept.envelope_sha256,
    tenant_id: kept.tenant_id,
    session_id: text('session_id'),
    principal_id: text('principal_id'),
    source_trace_id: text('source_trace_id'),
    authorization_mode: oneOf(authorizationModes, text('authorization_mode')) ?? 'human_approved',
    delegated_principal_id: text('delegated_principal_id'),
    delegated_scope: text('delegated_scope'),
    policy_version: text('policy_version'),
    actions: actionsInCommon(envelope),
    checkpoint_ref: text('checkpoint_ref'),
    sandbox_snapshot_ref: textOr(memberOf(envelope, 'sandbox_snapshot_ref'), null),
    budget_remaining: typeof budget === 'number' ? budget : null,
    objective_sha256: typeof objective === 'string' ? sha256Digest(objective) : null,
    constraints: textsIn(memberOf(envelope, 'exact_constraint_refs')).map((ref) => ({
      ref,
      frozen_sha256: digests.get(ref) ?? null,
    })),
    pending_obligations: textsIn(memberOf(envelope, 'pending_obligations')),
    source_event_range: rangeIn(memberOf(envelope, 'source_event_range')),
    lineage_sha256: kept.lineage_sha256,
    summary_sha256: text('summary_sha256'),
  };
}

/** What it would do, as far as it says so in the first version's fields. */
export function actionsInCommon(envelope: unknown): FrozenAction[] {
  const text = (key: string) => textOr(memberOf(envelope, key), '');
  return [
    {
      idempotency_key: text('idempotency_key'),
      capability_name: text('capability_name'),
      capability_version: text('capability_version'),
      action_digest: text('action_digest'),
      approval_id: text('approval_id'),
      approval_expires_at: text('approval_expires_at'),
      side_effect_status: oneOf(sideEffectStatuses, text('side_effect_status')) ?? 'side_effect_unknown',
    },
  ];
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

function textOr<Other>(value: unknown, other: Other): string | Other {
  return typeof value === 'string' ? value : other;
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function rangeIn(value: unknown): SourceEventRange | null {
  const first = memberOf(value, 'first');
  const last = memberOf(value, 'last');
  return typeof first === 'string' && typeof last === 'string' ? { first, last } : null;
}

function oneOf<Literal extends string>(literals: readonly Literal[], text: string): Literal | undefined {
  return literals.find((literal) => literal === text);
}
