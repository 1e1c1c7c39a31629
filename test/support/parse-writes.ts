import { Type } from '@sinclair/typebox';

import { recordParser } from '../../src/domain/parse-record.js';
import { recordKinds } from '../../src/domain/record-kinds.js';
import type { RecordKind } from '../../src/domain/records/record-kind.js';
import { parseAppendEvents } from '../../src/domain/session-event.js';
import { readFixture } from './read-fixture.js';

/** The writes of the systems of record: one PUT a kind of record, and the session's log. */
export const writeNames = [
  'policy',
  'capability',
  'principal',
  'session',
  'obligation',
  'constraint',
  'approval',
  'side_effect',
  'events',
] as const;
export type WriteName = (typeof writeNames)[number];

/** One valid body a write, every optional field present. */
export const validWrites: Record<WriteName, unknown> = readFixture(
  'valid-writes.json',
  Type.Object({
    policy: Type.Unknown(),
    capability: Type.Unknown(),
    principal: Type.Unknown(),
    session: Type.Unknown(),
    obligation: Type.Unknown(),
    constraint: Type.Unknown(),
    approval: Type.Unknown(),
    side_effect: Type.Unknown(),
    events: Type.Unknown(),
  }),
);

/** What each write is read to, in the shape of its body: fields that it left out are left out. */
export const writeParsers: Record<WriteName, (body: unknown) => unknown> = {
  policy: writeParser(recordKinds.policy),
  capability: writeParser(recordKinds.capability),
  principal: writeParser(recordKinds.principal),
  session: writeParser(recordKinds.session),
  obligation: writeParser(recordKinds.obligation),
  constraint: writeParser(recordKinds.constraint),
  approval: writeParser(recordKinds.approval),
  side_effect: writeParser(recordKinds.side_effect),
  events: (body) => ({ events: parseAppendEvents(body) }),
};

function writeParser(kind: RecordKind) {
  const parse = recordParser(kind);
  return (body: unknown) => {
    const { fields, session_epoch } = parse(body);
    const present = Object.entries({ ...fields, session_epoch: session_epoch ?? null });
    return Object.fromEntries(present.filter(([, value]) => value !== null));
  };
}
