import { approval } from './records/approval.js';
import { capability } from './records/capability.js';
import { constraint } from './records/constraint.js';
import { obligation } from './records/obligation.js';
import { policy } from './records/policy.js';
import { principal } from './records/principal.js';
import type { RecordKind } from './records/record-kind.js';
import { session } from './records/session.js';
import { sideEffect } from './records/side-effect.js';

/** Every kind of record that is written whole by a PUT, by its name in the trace. */
export const recordKinds = {
  policy,
  capability,
  principal,
  session,
  obligation,
  constraint,
  approval,
  side_effect: sideEffect,
} as const;

export type RecordKindName = keyof typeof recordKinds;

/** One of the kinds above. */
export type KnownKind = RecordKind & {
  readonly name: RecordKindName;
  readonly scope: { readonly name: RecordScope };
};

type RecordScope = (typeof recordKinds)[RecordKindName]['scope']['name'];

/** What the scope of each kind allows. */
export const recordScopes = byName(
  Object.values(recordKinds).map(({ scope }) => [scope.name, scope.meaning]),
);

/** Makes the same of each kind, once. */
export function ofEachKind<Made>(make: (kind: KnownKind) => Made): Readonly<Record<RecordKindName, Made>> {
  return byName(Object.values(recordKinds).map((kind) => [kind.name, make(kind)]));
}

/** The kind that a link leads to. */
export function kindNamed(name: string): KnownKind {
  const kind = Object.values(recordKinds).find((known) => known.name === name);
  if (!kind) throw new TypeError(`There are no records of the kind ${name}`);
  return kind;
}

function byName<Name extends string, Value>(entries: [Name, Value][]): Readonly<Record<Name, Value>> {
  return Object.fromEntries(entries) as Record<Name, Value>;
}
