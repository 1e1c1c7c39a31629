import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

import { ComparedFacts, SealingFacts } from '../../src/domain/facts.js';
import { decisionReasons, findingReasons } from '../../src/domain/reasons.js';
import { decisionStatuses } from '../../src/domain/vocabulary.js';
import { edited } from './edit-json.js';
import { readFixture, registerChecks } from './read-fixture.js';

registerChecks();

/** Decision cases kept as data: a base set of facts, changed at some JSON pointers, and the decision it must lead to. */

const oneOf = <const Literals extends readonly string[]>(literals: Literals) =>
  Type.Union(literals.map((literal: Literals[number]) => Type.Literal(literal)));

const decisionCase = Type.Object(
  {
    situation: Type.String({ minLength: 1 }),
    /** Name of the facts that are changed; `records` if absent. */
    base: Type.Optional(Type.String()),
    set: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    remove: Type.Optional(Type.Array(Type.String())),
    status: oneOf(decisionStatuses),
    reason: oneOf(decisionReasons),
    findings: Type.Array(oneOf(findingReasons)),
    /** Paths of the records that `control_state_missing` names. */
    missing: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false },
);
export type DecisionCase = Static<typeof decisionCase>;

const DecisionCases = Type.Object({
  bases: Type.Record(Type.String(), Type.Unknown()),
  rules: Type.Array(
    Type.Object(
      {
        rule: oneOf(findingReasons),
        fails: Type.Array(decisionCase, { minItems: 1 }),
        holds: Type.Array(decisionCase, { minItems: 1 }),
        /** This rule and the next one that can fail beside it, and no other; absent for the last rule. */
        precedes: Type.Optional(decisionCase),
      },
      { additionalProperties: false },
    ),
  ),
  situations: Type.Array(decisionCase),
});

/** What `POST /rehydrate` finds. */
export const rehydrationCases = readFixture('rehydration-cases.json', DecisionCases);

/** What `POST /envelopes` finds. */
export const sealingCases = readFixture('sealing-cases.json', DecisionCases);

/** A change of a base set of facts, by the name of its situation. */
type Change = Omit<DecisionCase, 'status' | 'reason' | 'findings'>;

/** The facts that a case of a rehydration decides from. */
export function comparedFacts(change: Change): ComparedFacts {
  return asFacts(ComparedFacts, edited(rehydrationCases.bases[change.base ?? 'records'], change));
}

/** The facts that a case of a sealing decides from. */
export function sealingFacts(change: Change): SealingFacts {
  return asFacts(SealingFacts, edited(sealingCases.bases[change.base ?? 'later'], change));
}

/** The value as facts; throws where it has another shape, or a member that no fact has. */
export function asFacts<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  if (!Value.Check(schema, value)) {
    const fault = Value.Errors(schema, value).First();
    throw new Error(`These are no facts: ${fault?.path ?? ''} ${fault?.message ?? ''}`);
  }
  const known = Value.Clean(schema, structuredClone(value));
  if (!Value.Equal(known, value)) throw new Error(`Not all of this is a fact: ${JSON.stringify(value)}`);
  return value;
}
