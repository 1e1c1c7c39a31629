import { describe, expect, it } from 'vitest';

import { kindNamed, ofEachKind, recordKinds } from '../../../src/domain/record-kinds.js';
import { linkRefusal, linkValue, recordId, sessionOf } from '../../../src/domain/record-links.js';

const fields = {
  session_id: 'session-1',
  capability_name: 'create_ticket',
  action_digest: 'sha256:action',
  approval_id: 'approval-1',
};

describe('a side effect', () => {
  const kind = recordKinds.side_effect;
  const written = { keys: { idempotency_key: 'key-1' }, fields };

  it.each([
    { what: 'nothing that it is linked to', linked: [undefined, undefined] },
    { what: 'itself and its approval', linked: [{ idempotency_key: 'key-1' }, fields] },
  ])('goes with $what', ({ linked }) => {
    expect(linkRefusal(kind, written, linked)).toBeUndefined();
  });

  it('is told of the effect that has its approval before it is told what the approval is about', () => {
    const linked = [{ idempotency_key: 'key-2' }, { ...fields, session_id: 'session-2' }];

    expect(linkRefusal(kind, written, linked)).toEqual({
      code: 'approval_already_bound',
      field: 'approval_id',
    });
  });

  it.each(['session_id', 'capability_name', 'action_digest'])(
    'does not go with an approval of another %s',
    (field) => {
      expect(linkRefusal(kind, written, [undefined, { ...fields, [field]: 'another' }])).toEqual({
        code: 'approval_mismatch',
        field,
      });
    },
  );
});

it.each(['session_id', 'capability_name', 'action_digest'])(
  'an approval does not go with an effect of another %s',
  (field) => {
    const written = { keys: { approval_id: 'approval-1' }, fields };

    expect(linkRefusal(recordKinds.approval, written, [{ ...fields, [field]: 'another' }])).toEqual({
      code: 'approval_mismatch',
      field,
    });
  },
);

it('a record of a kind without links goes with everything', () => {
  expect(linkRefusal(recordKinds.policy, { keys: {}, fields }, [])).toBeUndefined();
});

describe('the value of a link', () => {
  const [link] = recordKinds.approval.links;

  it.each([
    { from: 'its path', keys: { approval_id: 'approval-2' }, value: 'approval-2' },
    { from: 'its fields', keys: {}, value: 'approval-1' },
  ])('comes from $from', ({ keys, value }) => {
    expect(linkValue(link, { keys, fields })).toBe(value);
  });

  it('may be missing', () => {
    expect(linkValue(link, { keys: {}, fields: { approval_id: null } })).toBeUndefined();
  });
});

it('a link of each kind leads to a kind that there is', () => {
  expect(() => ofEachKind(({ links = [] }) => links.map(({ to }) => kindNamed(to)))).not.toThrow();
  expect(() => kindNamed('ticket')).toThrow('There are no records of the kind ticket');
});

describe('where a record belongs', () => {
  it.each([
    { name: 'policy' as const, keys: {}, session: undefined, id: 'policy' },
    { name: 'principal' as const, keys: { principal_id: 'user-1' }, session: undefined, id: 'user-1' },
    { name: 'session' as const, keys: { session_id: 'session-2' }, session: 'session-2', id: 'session-2' },
    {
      name: 'obligation' as const,
      keys: { session_id: 'session-2', obligation_id: 'obligation-1' },
      session: 'session-2',
      id: 'obligation-1',
    },
    {
      name: 'approval' as const,
      keys: { approval_id: 'approval-1' },
      session: 'session-1',
      id: 'approval-1',
    },
  ])('$name: to $session, by the id $id', ({ name, keys, session, id }) => {
    const kind = recordKinds[name];

    expect([sessionOf(kind, { keys, fields }), recordId(kind, keys)]).toEqual([session, id]);
  });
});
