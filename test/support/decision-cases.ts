import { Type, TypeRegistry, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

import { DecisionFacts, type ComparedFacts, type SealingFacts } from '../../src/domain/facts.js';
import { decisionReasons, decisionStatuses, findingReasons } from '../../src/domain/vocabulary.js';
import { edited } from './edit-json.js';
import { readFixture } from './read-fixture.js';

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

/** The facts that a case decides from. */
export function comparedFacts(change: Omit<DecisionCase, 'status' | 'reason' | 'findings'>): ComparedFacts {
  const facts = checkedFacts(edited(rehydrationCases.bases[change.base ?? 'records'], change));
  if (facts.kind !== 'compared') throw new Error(`${change.situation}: no facts of a rehydration`);
  return facts;
}

/** The facts that a case decides from. */
export function sealingFacts(change: Omit<DecisionCase, 'status' | 'reason' | 'findings'>): SealingFacts {
  const facts = checkedFacts(edited(sealingCases.bases[change.base ?? 'later'], change));
  if (facts.kind !== 'sealing') throw new Error(`${change.situation}: no facts of a sealing`);
  return facts;
}

/** The value as facts; one that has another shape, or a member that no fact has, is a mistake in the data. */
export function checkedFacts(value: unknown): DecisionFacts {
  TypeRegistry.Set('Unsafe', (schema: { enum: unknown[] }, literal) => schema.enum.includes(literal));
  if (!Value.Check(DecisionFacts, value)) {
    throw new Error(`These are no facts: ${JSON.stringify([...Value.Errors(DecisionFacts, value)])}`);
  }
  const known = Value.Clean(DecisionFacts, structuredClone(value));
  if (!Value.Equal(known, value)) throw new Error(`Not all of this is a fact: ${JSON.stringify(value)}`);
  return value;
}
