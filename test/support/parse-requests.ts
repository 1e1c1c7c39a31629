import { Type } from '@sinclair/typebox';

import { ContinuityFormatError, type Fault } from '../../src/domain/format-error.js';
import { recordParser } from '../../src/domain/parse-record.js';
import { recordKinds } from '../../src/domain/record-kinds.js';
import type { RecordKind } from '../../src/domain/records/record-kind.js';
import { parseInspectRequest, parseRehydrateRequest, parseSealRequest } from '../../src/domain/requests.js';
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

/** The three requests whose bodies the core parses. */
export const requestNames = ['seal', 'rehydrate', 'inspect'] as const;

/** Every body that the core parses. */
export const bodyNames = [...requestNames, ...writeNames];
type BodyName = (typeof bodyNames)[number];

/** Schema of a body's name in a data file. */
export const bodyName = Type.Union(bodyNames.map((name) => Type.Literal(name)));

export const parsers = {
  seal: parseSealRequest,
  rehydrate: parseRehydrateRequest,
  inspect: parseInspectRequest,
  ...writeParsers,
} satisfies Record<BodyName, (body: unknown) => unknown>;

/** One valid body a request, every optional field present. */
export const validRequests = readFixture(
  'valid-requests.json',
  Type.Object({ seal: Type.Unknown(), rehydrate: Type.Unknown(), inspect: Type.Unknown() }),
);

/** One valid body of each name. */
export const validBodies: Record<BodyName, unknown> = { ...validRequests, ...validWrites };

/** The first operator error and its pointer that a body is refused with, or undefined when it is accepted. */
export function refusalOf(name: BodyName, body: unknown): { error: string; pointer: string } | undefined {
  const [first] = faultsOf(name, body);
  return first && { error: first.message, pointer: first.pointer };
}

/** Everything that a body is refused for. */
export function faultsOf(name: BodyName, body: unknown): readonly Fault[] {
  try {
    parsers[name](body);
    return [];
  } catch (error) {
    if (error instanceof ContinuityFormatError) return error.faults;
    throw error;
  }
}
