import { KindGuard, type Static, type TSchema } from '@sinclair/typebox';
import fc from 'fast-check';

import { ComparedFacts, RefusedFacts, SealingFacts, type DecisionFacts } from '../../../src/domain/facts.js';
import { asFacts, rehydrationCases, sealingCases } from '../../support/decision-cases.js';
import { edited, pointersIn, valueAt } from '../../support/edit-json.js';

/** Values that no arbitrary fact holds, so that whatever is compared with one of them differs from it. */
export const foreignText = 'drifted';
export const foreignCount = 1_000_000;

const texts = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', '') },
  { weight: 1, arbitrary: fc.constantFrom('2026-07-21T17:00:00Z', '2026-07-21T17:00:00.000001Z') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
);
const counts = fc.oneof(fc.nat(3), fc.nat(foreignCount - 1));

/** Facts of a rehydration: of any kind, or such as agree with each other but for a few places. */
export const anyComparedFacts = mixed(ComparedFacts, rehydrationCases.bases);

/** Facts of a sealing: of any kind, or such as agree with each other but for a few places. */
export const anySealingFacts = mixed(SealingFacts, sealingCases.bases);

/** Facts of any decision. */
export const anyFacts: fc.Arbitrary<DecisionFacts> = fc.oneof(
  { weight: 4, arbitrary: anyComparedFacts },
  { weight: 4, arbitrary: anySealingFacts },
  { weight: 1, arbitrary: valueOf(RefusedFacts).map((value) => asFacts(RefusedFacts, value)) },
);

function mixed<Schema extends TSchema>(
  schema: Schema,
  bases: Readonly<Record<string, unknown>>,
): fc.Arbitrary<Static<Schema>> {
  const wild = valueOf(schema);
  const agreeing = fc.tuple(fc.constantFrom(...Object.values(bases)), wild).chain(([base, other]) =>
    fc
      .subarray(
        pointersIn(other, () => true),
        { maxLength: 4 },
      )
      .map((pointers) => pointers.reduce((facts, pointer) => crossed(facts, other, pointer), base)),
  );
  return fc
    .oneof({ weight: 3, arbitrary: agreeing }, { weight: 1, arbitrary: wild })
    .map((value) => asFacts(schema, value));
}

/** The value with what the other one holds at the pointer, if the value has an object to hold it. */
function crossed(value: unknown, other: unknown, pointer: string): unknown {
  const parent = valueAt(value, pointer.slice(0, pointer.lastIndexOf('/')));
  if (typeof parent !== 'object' || parent === null || Array.isArray(parent)) return value;
  return edited(value, { set: { [pointer]: valueAt(other, pointer) } });
}

/** Any value that the schema admits. */
function valueOf(schema: TSchema): fc.Arbitrary<unknown> {
  if (KindGuard.IsObject(schema)) {
    const members = Object.entries(schema.properties);
    const requiredKeys = members.filter(([, member]) => !KindGuard.IsOptional(member)).map(([key]) => key);
    return fc.record(Object.fromEntries(members.map(([key, member]) => [key, valueOf(member)])), {
      requiredKeys,
      noNullPrototype: true,
    });
  }
  if (KindGuard.IsArray(schema)) return fc.array(valueOf(schema.items), { maxLength: 3 });
  if (KindGuard.IsUnion(schema)) return fc.oneof(...schema.anyOf.map(valueOf));
  if (KindGuard.IsLiteral(schema)) return fc.constant(schema.const);
  if (KindGuard.IsUnsafe(schema)) return fc.constantFrom(...literalsOf(schema));
  if (KindGuard.IsNull(schema)) return fc.constant(null);
  if (KindGuard.IsBoolean(schema)) return fc.boolean();
  if (KindGuard.IsInteger(schema)) return counts;
  if (KindGuard.IsNumber(schema)) return fc.oneof(counts, fc.double({ noNaN: true, min: -1, max: 10 }));
  if (KindGuard.IsString(schema)) {
    const { minLength = 0 } = schema;
    return texts.filter((text) => text.length >= minLength);
  }
  throw new Error(`No fact has such a schema: ${JSON.stringify(schema)}`);
}

function literalsOf(schema: TSchema): unknown[] {
  return Array.isArray(schema['enum']) ? schema['enum'] : [];
}
