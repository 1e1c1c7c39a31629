import { Type, TypeGuard } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';

import { recordBody, recordParser } from '../../../src/domain/parse-record.js';
import { decideRecordChange } from '../../../src/domain/record-change.js';
import { recordKinds, type KnownKind } from '../../../src/domain/record-kinds.js';
import { constraintDigest } from '../../../src/domain/records/constraint.js';
import type { RecordFields } from '../../../src/domain/records/record-kind.js';
import { edited } from '../../support/edit-json.js';
import { parsers, validBodies, validWrites, writeNames, writeParsers } from '../../support/parse-requests.js';

const kindNames = writeNames.filter((name) => name !== 'events');

describe('the body of a write', () => {
  it.each(writeNames)('of %s is read as it was written', (name) => {
    expect(writeParsers[name](validWrites[name])).toEqual(validWrites[name]);
  });

  it('is read with every field of its kind, null where an optional one was left out', () => {
    const optional = [
      '/sandbox_snapshot_ref',
      '/budget_remaining',
      '/objective',
      '/parent_session_id',
      '/predecessor_session_id',
      '/session_epoch',
    ];

    expect(recordParser(recordKinds.session)(edited(validWrites.session, { remove: optional }))).toEqual({
      fields: {
        session_status: 'active',
        principal_id: 'user-7',
        authorization_mode: 'user_delegated',
        delegated_principal_id: 'user-7',
        delegated_scope: 'tickets:create',
        idempotency_key: 'intent-100',
        checkpoint_ref: 'checkpoint:100-6',
        sandbox_snapshot_ref: null,
        budget_remaining: null,
        objective: null,
        parent_session_id: null,
        predecessor_session_id: null,
      },
      session_epoch: undefined,
    });
  });

  it.each([
    { written: '2026-07-21T20:00:00+02:00', read: '2026-07-21T18:00:00.000000Z' },
    { written: ' 2026-07-21T18:00:00.25Z ', read: '2026-07-21T18:00:00.250000Z' },
  ])('holds its time in UTC, to the microsecond: $written', ({ written, read }) => {
    expect(parsers.approval(edited(validBodies.approval, { set: { '/expires_at': written } }))).toMatchObject(
      {
        expires_at: read,
      },
    );
  });
});

it.each([
  { schema: Type.Null(), bug: 'No reader for a schema of the kind null' },
  { schema: Type.Array(Type.Number()), bug: 'A schema has no words for a value that is malformed' },
])('a kind of record with a field that nothing reads is a bug, told before any body: $bug', (odd) => {
  const kind = { ...recordKinds.policy, fields: { odd: odd.schema } };

  expect(() => recordParser(kind)).toThrow(new TypeError(odd.bug));
});

describe.each(kindNames)('the kind %s', (name) => {
  const kind: KnownKind = recordKinds[name];

  it('is called by its own name', () => {
    expect(kind.name).toBe(name);
  });

  it('documents its body by that name, with its own fields and no other', () => {
    const schema = recordBody({ ...kind, sessionEpoch: false }, 'Body');

    expect(schema).toMatchObject({ $id: 'Body', title: 'Body', additionalProperties: false });
    expect(Object.keys(schema.properties)).toEqual(Object.keys(kind.fields));
  });

  it('documents an epoch where one may be presented', () => {
    const schema = recordBody({ ...kind, sessionEpoch: true }, 'Body');

    expect(schema.properties['session_epoch']).toMatchObject({
      type: 'integer',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    });
    expect(schema.required ?? []).not.toContain('session_epoch');
  });

  it('is created by its first write, whatever it says', () => {
    expect(decideRecordChange(kind, undefined, recordOf(name))).toEqual({ kind: 'created' });
  });

  it('is unchanged by an equal write', () => {
    expect(decideRecordChange(kind, recordOf(name), recordOf(name))).toEqual({ kind: 'unchanged' });
  });

  it('is unchanged whether an optional field is null or was never kept', () => {
    const optional = Object.entries(kind.fields)
      .filter(([, schema]) => TypeGuard.IsOptional(schema))
      .map(([field]) => field);
    const kept = Object.entries(recordOf(name)).filter(([field]) => !optional.includes(field));
    const none = optional.map((field): [string, null] => [field, null]);

    expect(
      decideRecordChange(kind, Object.fromEntries([...kept, ...none]), Object.fromEntries(kept)),
    ).toEqual({
      kind: 'unchanged',
    });
  });
});

describe('where records are kept', () => {
  it.each([
    { name: 'policy' as const, keys: [], sessionField: undefined },
    { name: 'capability' as const, keys: ['capability_name'], sessionField: undefined },
    { name: 'principal' as const, keys: ['principal_id'], sessionField: undefined },
    { name: 'session' as const, keys: ['session_id'], sessionField: 'session_id' },
    { name: 'obligation' as const, keys: ['session_id', 'obligation_id'], sessionField: 'session_id' },
    { name: 'constraint' as const, keys: ['constraint_ref'], sessionField: 'session_id' },
    { name: 'approval' as const, keys: ['approval_id'], sessionField: 'session_id' },
    { name: 'side_effect' as const, keys: ['idempotency_key'], sessionField: 'session_id' },
  ])('$name: by $keys, under the session in $sessionField', ({ name, keys, sessionField }) => {
    const kind: KnownKind = recordKinds[name];

    expect([kind.keys, kind.sessionField]).toEqual([keys, sessionField]);
  });

  it('free text is marked as sensitive, and nothing else is', () => {
    const sensitive = kindNames.flatMap((name) => recordKinds[name].sensitive);

    expect(sensitive).toEqual(['objective', 'text']);
  });
});

describe('who approved', () => {
  it.each([
    { set: { '/self_approval': 'true' }, message: 'Continuity field must be a boolean: self_approval' },
    {
      set: { '/required_approvals': 0 },
      message: 'Continuity field must be an integer from 1 to 16: required_approvals',
    },
    {
      set: { '/required_approvals': 17 },
      message: 'Continuity field must be an integer from 1 to 16: required_approvals',
    },
    { set: { '/eligible_approvers': [] }, message: 'Continuity field is required: eligible_approvers' },
    {
      set: { '/decisions/0/decision': 'perhaps' },
      message: 'Continuity approval decision is not supported: perhaps',
    },
    { set: { '/decisions/1/note': '' }, message: 'Continuity field is not supported: decisions[1].note' },
  ])('is not read from $set', ({ set, message }) => {
    const body = edited(validWrites.approval, { set });

    expect(() => recordParser(recordKinds.approval)(body)).toThrow(message);
  });
});

describe('a status', () => {
  const statuses = [
    {
      name: 'principal' as const,
      field: 'principal_status',
      all: ['active', 'suspended', 'removed'],
      refused: {},
    },
    {
      name: 'session' as const,
      field: 'session_status',
      all: ['active', 'cancelled', 'ended'],
      refused: { cancelled: ['active', 'ended'], ended: ['active', 'cancelled'] },
    },
    {
      name: 'obligation' as const,
      field: 'obligation_status',
      all: ['open', 'discharged'],
      refused: { discharged: ['open'] },
    },
    { name: 'constraint' as const, field: 'constraint_status', all: ['active', 'withdrawn'], refused: {} },
    {
      name: 'approval' as const,
      field: 'approval_status',
      all: ['approved', 'pending', 'rejected', 'revoked', 'expired'],
      refused: {
        rejected: ['approved', 'pending', 'revoked', 'expired'],
        revoked: ['approved', 'pending', 'rejected', 'expired'],
        expired: ['approved', 'pending', 'rejected', 'revoked'],
      },
    },
    {
      name: 'side_effect' as const,
      field: 'side_effect_status',
      all: ['not_started', 'side_effect_committed', 'side_effect_unknown'],
      refused: {
        side_effect_committed: ['not_started', 'side_effect_unknown'],
        side_effect_unknown: ['not_started', 'side_effect_committed'],
      },
    },
  ].map((status) => ({ ...status, refused: new Map<string, string[]>(Object.entries(status.refused)) }));

  it.each(
    statuses.flatMap(({ name, field, all, refused }) =>
      all.flatMap((from) =>
        all
          .filter((to) => to !== from)
          .map((to) => {
            const outcome = refused.get(from)?.includes(to) ? 'refused' : 'changed';
            return { name, field, from, to, outcome };
          }),
      ),
    ),
  )('of $name from $from to $to is $outcome', ({ name, field, from, to, outcome }) => {
    const write = writeOf(name, { [field]: from }, { [field]: to });

    expect(write).toEqual(
      outcome === 'changed'
        ? { kind: 'changed' }
        : { kind: 'refused', code: 'status_transition_refused', field },
    );
  });

  it('that is final does not keep another field from changing', () => {
    const ended = { session_status: 'ended' };

    expect(writeOf('session', ended, { ...ended, checkpoint_ref: 'checkpoint:8' })).toEqual({
      kind: 'changed',
    });
  });

  it('that is none of the known ones may become nothing', () => {
    expect(writeOf('session', { session_status: 'paused' }, { session_status: 'active' })).toEqual({
      kind: 'refused',
      code: 'status_transition_refused',
      field: 'session_status',
    });
  });
});

describe('what a record is bound to', () => {
  it.each([
    { name: 'constraint' as const, field: 'session_id' },
    { name: 'approval' as const, field: 'session_id' },
    { name: 'approval' as const, field: 'capability_name' },
    { name: 'approval' as const, field: 'action_digest' },
    { name: 'side_effect' as const, field: 'session_id' },
    { name: 'side_effect' as const, field: 'capability_name' },
    { name: 'side_effect' as const, field: 'approval_id' },
    { name: 'side_effect' as const, field: 'action_digest' },
  ])('never changes: $field of $name', ({ name, field }) => {
    expect(writeOf(name, {}, { [field]: 'another' })).toEqual({
      kind: 'refused',
      code: 'record_field_frozen',
      field,
    });
  });

  it.each(['parent_session_id', 'predecessor_session_id'])(
    'is set once where it may be set later: %s of a session',
    (field) => {
      const refused = { kind: 'refused', code: 'record_field_frozen', field };

      expect(writeOf('session', { [field]: null }, { [field]: 'another' })).toEqual({ kind: 'changed' });
      expect(writeOf('session', {}, { [field]: 'another' })).toEqual(refused);
      expect(writeOf('session', {}, { [field]: null })).toEqual(refused);
    },
  );

  it('is told before a status that may not follow', () => {
    const change = { approval_status: 'approved', session_id: 'another' };

    expect(writeOf('approval', { approval_status: 'revoked' }, change)).toMatchObject({
      code: 'record_field_frozen',
    });
  });

  it.each([
    { name: 'policy' as const, set: { policy_version: 'policy-v5' } },
    { name: 'capability' as const, set: { capability_version: 'create-ticket-v4' } },
    { name: 'session' as const, set: { principal_id: 'user-8' } },
    { name: 'session' as const, set: { budget_remaining: null } },
    { name: 'obligation' as const, set: { evidence_refs: ['trace:t-1', 'trace:t-2'] } },
    { name: 'constraint' as const, set: { text: 'Never.' } },
    { name: 'constraint' as const, set: { forbids_capability: null } },
    { name: 'capability' as const, set: { approval_required: true } },
    { name: 'approval' as const, set: { decided_by: 'approver-2' } },
    { name: 'approval' as const, set: { decisions: [{ decided_by: 'approver-2', decision: 'rejected' }] } },
  ])('apart, $name may change: $set', ({ name, set }) => {
    expect(writeOf(name, {}, set)).toEqual({ kind: 'changed' });
  });
});

describe("an approval's expiry", () => {
  it.each([
    { to: '2026-07-21T17:59:59.999999Z', write: { kind: 'changed' } },
    {
      to: '2026-07-21T18:00:00.000001Z',
      write: { kind: 'refused', code: 'expiry_extended', field: 'expires_at' },
    },
  ])('only ever becomes earlier: $to is $write.kind', ({ to, write }) => {
    expect(writeOf('approval', {}, { expires_at: to })).toEqual(write);
  });

  it('stays while the status changes', () => {
    expect(writeOf('approval', {}, { approval_status: 'revoked' })).toEqual({ kind: 'changed' });
  });
});

describe('the digest of a constraint', () => {
  const { sha256 } = recordKinds.constraint.derived;

  it('covers its text and what it forbids', () => {
    const digests = [
      constraintDigest('Never.', 'close_ticket'),
      constraintDigest('Never.', 'merge_ticket'),
      constraintDigest('Never.', null),
      constraintDigest('Always.', null),
    ];

    expect(new Set(digests).size).toBe(digests.length);
  });

  it('is kept beside the record, whether it forbids a capability or none', () => {
    expect([
      sha256({ text: 'Never.', forbids_capability: 'close_ticket' }),
      sha256({ text: 'Never.', forbids_capability: null }),
    ]).toEqual([constraintDigest('Never.', 'close_ticket'), constraintDigest('Never.', null)]);
  });
});

type KindName = (typeof kindNames)[number];

/** What becomes of a record that differs from the valid one by `before`, once it is written with `after` too. */
function writeOf(name: KindName, before: RecordFields, after: RecordFields) {
  const current = { ...recordOf(name), ...before };
  return decideRecordChange(recordKinds[name], current, { ...current, ...after });
}

function recordOf(name: KindName): RecordFields {
  return recordParser(recordKinds[name])(validWrites[name]).fields;
}
