import { digestPrefix } from './digest.js';
import {
  contentProperties,
  controlProperties,
  ContinuityEnvelope,
  SourceEventRange,
  type InspectedEnvelope,
} from './envelope.js';
import {
  artifactPlace,
  checkLiteral,
  checkTimestamp,
  openObject,
  placeOf,
  readBudget,
  readLiteral,
  readObject,
  readString,
  readStrings,
  readText,
  refuse,
  type Fields,
} from './fields.js';
import { ContinuityFormatError } from './format-error.js';
import type { LiteralString } from './schemas.js';

/**
 * Parses an envelope into a new object: strings trimmed, absent optional fields absent, keys in the schema's order.
 *
 * Throws `ContinuityFormatError` with the operator error of the first violated rule.
 */
export function parseEnvelope(value: unknown): ContinuityEnvelope {
  const fields = openEnvelope(value);
  return { ...readControl(fields), ...readContent(fields) };
}

/** Parses an envelope to be inspected: as `parseEnvelope`, but its content fields may be absent. */
export function parseInspectedEnvelope(value: unknown): InspectedEnvelope {
  const fields = openEnvelope(value);
  return { ...readControl(fields), ...readPresentContent(fields) };
}

/** Reads a source event range from an opened object. */
export function readSourceEventRange(fields: Fields): SourceEventRange {
  const range = readObject(fields, 'source_event_range', SourceEventRange);
  return {
    first: readString(range, 'first', SourceEventRange.properties.first),
    last: readString(range, 'last', SourceEventRange.properties.last),
  };
}

function openEnvelope(value: unknown): Fields {
  return openObject(
    value,
    artifactPlace('continuity_envelope'),
    ContinuityEnvelope,
    'Continuity envelope must be ContinuityEnvelope',
  );
}

type ControlString = Exclude<keyof typeof controlProperties, 'requires_reauthorization'>;

function readControl(fields: Fields) {
  const read = (key: ControlString) => readString(fields, key, controlProperties[key]);
  const strings = {
    schema_version: read('schema_version'),
    envelope_id: read('envelope_id'),
    session_id: read('session_id'),
    source_trace_id: read('source_trace_id'),
    tenant_id: read('tenant_id'),
    principal_id: read('principal_id'),
    authorization_mode: read('authorization_mode'),
    policy_version: read('policy_version'),
    capability_name: read('capability_name'),
    capability_version: read('capability_version'),
    approval_id: read('approval_id'),
    action_digest: read('action_digest'),
    approval_expires_at: read('approval_expires_at'),
    idempotency_key: read('idempotency_key'),
    side_effect_status: read('side_effect_status'),
    checkpoint_ref: read('checkpoint_ref'),
    summary_sha256: read('summary_sha256'),
    delegated_principal_id: read('delegated_principal_id'),
    delegated_scope: read('delegated_scope'),
  };
  return { ...strings, ...checkControl(fields, strings) };
}

function checkControl(fields: Fields, strings: Record<ControlString, string>) {
  const check = <Literal extends string>(key: ControlString, schema: LiteralString<Literal>) =>
    checkLiteral(fields, key, strings[key], schema);
  const schemaVersion = check('schema_version', controlProperties.schema_version);
  const mode = check('authorization_mode', controlProperties.authorization_mode);
  if (mode === 'user_delegated') {
    requireText(fields, 'delegated_principal_id', strings.delegated_principal_id);
    requireText(fields, 'delegated_scope', strings.delegated_scope);
  }
  const sideEffectStatus = check('side_effect_status', controlProperties.side_effect_status);
  checkTimestamp(fields, 'approval_expires_at', strings.approval_expires_at);
  checkDigest(fields, 'summary_sha256', strings.summary_sha256);
  return {
    schema_version: schemaVersion,
    authorization_mode: mode,
    side_effect_status: sideEffectStatus,
    requires_reauthorization: readReauthorizationFlag(fields),
  };
}

function requireText(fields: Fields, key: string, value: string): void {
  if (value === '') refuse('is required', placeOf(fields, key));
}

function checkDigest(fields: Fields, key: string, value: string): void {
  if (value.startsWith(digestPrefix)) return;
  throw new ContinuityFormatError('Continuity summary digest must use sha256', placeOf(fields, key).pointer);
}

function readReauthorizationFlag(fields: Fields): true {
  const flag = fields.values.get('requires_reauthorization');
  const { pointer } = placeOf(fields, 'requires_reauthorization');
  if (typeof flag !== 'boolean') {
    throw new ContinuityFormatError('Continuity reauthorization flag must be a boolean', pointer);
  }
  if (!flag) throw new ContinuityFormatError('Continuity envelope must require reauthorization', pointer);
  return true;
}

function readContent(fields: Fields) {
  return {
    reset_reason: readResetReason(fields),
    objective: readObjective(fields),
    exact_constraint_refs: readConstraintRefs(fields),
    pending_obligations: readObligations(fields),
    evidence_refs: readEvidenceRefs(fields),
    source_event_range: readSourceEventRange(fields),
    ...readOptionalContent(fields),
  };
}

function readPresentContent(fields: Fields) {
  const { values } = fields;
  return {
    ...(values.has('reset_reason') && { reset_reason: readResetReason(fields) }),
    ...(values.has('objective') && { objective: readObjective(fields) }),
    ...(values.has('exact_constraint_refs') && { exact_constraint_refs: readConstraintRefs(fields) }),
    ...(values.has('pending_obligations') && { pending_obligations: readObligations(fields) }),
    ...(values.has('evidence_refs') && { evidence_refs: readEvidenceRefs(fields) }),
    ...(values.has('source_event_range') && { source_event_range: readSourceEventRange(fields) }),
    ...readOptionalContent(fields),
  };
}

function readOptionalContent(fields: Fields) {
  const { values } = fields;
  return {
    ...(values.has('sandbox_snapshot_ref') && { sandbox_snapshot_ref: readSnapshotRef(fields) }),
    ...(values.has('budget_remaining') && { budget_remaining: readBudget(fields) }),
  };
}

function readResetReason(fields: Fields) {
  return readLiteral(fields, 'reset_reason', contentProperties.reset_reason);
}

function readObjective(fields: Fields): string {
  return readText(fields, 'objective', contentProperties.objective);
}

function readConstraintRefs(fields: Fields): string[] {
  return readStrings(fields, 'exact_constraint_refs', contentProperties.exact_constraint_refs);
}

function readObligations(fields: Fields): string[] {
  return readStrings(fields, 'pending_obligations', contentProperties.pending_obligations);
}

function readEvidenceRefs(fields: Fields): string[] {
  return readStrings(fields, 'evidence_refs', contentProperties.evidence_refs);
}

function readSnapshotRef(fields: Fields): string {
  return readString(fields, 'sandbox_snapshot_ref', contentProperties.sandbox_snapshot_ref);
}
