import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';

import { ContinuityFormatError, type Fault } from '../../../src/domain/format-error.js';
import { readerOf } from '../../../src/domain/reader/reader.js';
import { readAs } from '../../../src/domain/reader/reading.js';
import { literalString } from '../../../src/domain/schemas.js';
import { edited } from '../../support/edit-json.js';
import { faultsOf, validRequests } from '../../support/parse-requests.js';

describe('a body with several faults', () => {
  it('is told every field that is missing at once, in the order of the contract', () => {
    const faults = faultsOf('seal', { continuity_envelope: {} });

    expect(faults).toHaveLength(26);
    expect(messagesOf(faults)).toEqual([
      ...[
        'schema_version',
        'envelope_id',
        'session_id',
        'source_trace_id',
        'tenant_id',
        'principal_id',
        'authorization_mode',
        'policy_version',
        'capability_name',
        'capability_version',
        'approval_id',
        'action_digest',
        'approval_expires_at',
        'idempotency_key',
        'side_effect_status',
        'checkpoint_ref',
        'summary_sha256',
        'delegated_principal_id',
        'delegated_scope',
      ].map((field) => `Continuity field is required: ${field}`),
      'Continuity reauthorization flag must be a boolean',
      ...[
        'reset_reason',
        'objective',
        'exact_constraint_refs',
        'pending_obligations',
        'evidence_refs',
        'source_event_range',
      ].map((field) => `Continuity field is required: ${field}`),
    ]);
  });

  it('is told what is wrong anywhere in it, each with its pointer, and which values an enumeration has', () => {
    const body = edited(validRequests.seal, {
      set: {
        '/continuity_envelope/authorization_mode': 'root',
        '/continuity_envelope/objective': 7,
        '/continuity_envelope/evidence_refs': ['trace:1', '', 8],
        '/released/0/ref': ' ',
        '/authorized': true,
      },
    });

    expect(faultsOf('seal', body)).toEqual([
      { pointer: '/authorized', message: 'Continuity field is not supported: authorized' },
      {
        pointer: '/continuity_envelope/authorization_mode',
        message: 'Continuity authorization mode is not supported: root',
        allowed: ['platform_owned', 'user_delegated', 'human_approved'],
      },
      { pointer: '/continuity_envelope/objective', message: 'Continuity field must be a string: objective' },
      {
        pointer: '/continuity_envelope/evidence_refs/1',
        message: 'Continuity field is required: evidence_refs[1]',
      },
      {
        pointer: '/continuity_envelope/evidence_refs/2',
        message: 'Continuity field must be a string: evidence_refs[2]',
      },
      { pointer: '/released/0/ref', message: 'Continuity field is required: released[0].ref' },
    ]);
  });

  it.each([
    { in: 'absent', edit: { remove: ['/continuity_envelope/delegated_scope'] } },
    { in: 'no text', edit: { set: { '/continuity_envelope/delegated_scope': 7 } } },
  ])('is told once of a field that another one needs and that is $in', ({ edit }) => {
    const body = edited(validRequests.seal, {
      ...edit,
      set: { ...edit.set, '/continuity_envelope/authorization_mode': 'user_delegated' },
    });

    expect(faultsOf('seal', body).map(({ pointer }) => pointer)).toEqual([
      '/continuity_envelope/delegated_scope',
    ]);
  });

  it('is told no more than a hundred of them', () => {
    const entries = (length: number) => Array.from({ length }, () => 7);
    const withEntries = (count: number) =>
      edited(validRequests.seal, {
        set: {
          '/continuity_envelope/evidence_refs': entries(count),
          '/session_epoch': -1,
        },
      });

    expect(faultsOf('seal', withEntries(98))).toHaveLength(99);
    expect(faultsOf('seal', withEntries(99)).at(-1)?.pointer).toBe('/session_epoch');
    expect(faultsOf('seal', withEntries(1_000))).toHaveLength(100);
    expect(faultsOf('seal', withEntries(1_000)).at(-1)?.pointer).toBe(
      '/continuity_envelope/evidence_refs/99',
    );
  });
});

describe('a reader', () => {
  const choice = literalString('colour', 'A colour.', ['red', 'blue']);

  it('checks the values of a group once all of it has been read, choices first', () => {
    const read = readerOf(
      readAs(
        Type.Object({
          from: Type.String({ format: 'date-time' }),
          colour: choice,
          to: Type.String({ minLength: 1 }),
          shade: choice,
        }),
        { checkedTogetherUpTo: 'to' },
      ),
    );

    expect(messagesOf(faultsIn(read, { from: 'now', colour: 'green', shade: 'grey' }))).toEqual([
      'Continuity field is required: to',
      'Continuity colour is not supported: green',
      'Continuity timestamp is invalid: from',
      'Continuity colour is not supported: grey',
    ]);
  });

  it('checks what a value needs once that has been read', () => {
    const needy = readAs(choice, { needs: { red: ['reason', 'notes'] } });
    const read = readerOf(
      Type.Object({
        colour: needy,
        reason: Type.Optional(Type.String()),
        notes: Type.Optional(Type.Array(Type.String())),
        last: Type.String(),
      }),
    );

    expect(read({ colour: 'blue', last: '' })).toEqual({ colour: 'blue', last: '' });
    expect(read({ colour: 'red', reason: 'x', notes: [], last: '' })).toMatchObject({ reason: 'x' });
    expect(messagesOf(faultsIn(read, { colour: 'red', reason: ' ' }))).toEqual([
      'Continuity field is required: reason',
      'Continuity field is required: notes',
      'Continuity field is required: last',
    ]);
  });

  it.each([
    { schema: Type.Null(), bug: 'No reader for a schema of the kind null' },
    { schema: Type.Literal(true), bug: 'A schema has no words for a value that is malformed' },
    {
      schema: readAs(Type.Literal(true), { malformed: 'no flag' }),
      bug: 'A schema has no words for a value that is refused',
    },
    { schema: Type.Number(), bug: 'A schema has no words for a value that is malformed' },
    { schema: Type.String({ pattern: '^x' }), bug: 'A schema has no words for a value that is refused' },
  ])('is not made for a schema that it cannot read: $bug', ({ schema, bug }) => {
    expect(() => readerOf(schema)).toThrow(new TypeError(bug));
  });
});

function faultsIn(read: (body: unknown) => unknown, body: unknown): readonly Fault[] {
  try {
    read(body);
    return [];
  } catch (error) {
    if (error instanceof ContinuityFormatError) return error.faults;
    throw error;
  }
}

function messagesOf(faults: readonly Fault[]): string[] {
  return faults.map(({ message }) => message);
}
