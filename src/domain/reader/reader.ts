import { KindGuard, type Static, type TSchema } from '@sinclair/typebox';

import { Faults, root } from './faults.js';
import { listPlan } from './list.js';
import { objectPlan } from './object.js';
import type { Plan } from './plan.js';
import { readingOf } from './reading.js';
import { nullablePlan } from './nullable.js';
import { booleanPlan, budgetPlan, countPlan, flagPlan, stringPlan } from './scalars.js';

/**
 * Makes the reader of a body from its schema, which is the only list of its fields.
 *
 * A reader gives a new value: strings trimmed, absent optional fields absent, keys in the schema's order. It coerces
 * nothing, and throws a `ContinuityFormatError` with everything that is wrong, in the contract's words and order.
 */
export function readerOf<Schema extends TSchema>(schema: Schema): (body: unknown) => Static<Schema> {
  const { read } = planOf(schema);
  return (body) => {
    const faults = new Faults();
    const value = read(body, root, faults);
    faults.refuse();
    return value;
  };
}

function planOf(schema: TSchema): Plan {
  const { refersTo } = readingOf(schema);
  if (refersTo) return planOf(refersTo);
  if (KindGuard.IsObject(schema)) return objectPlan(schema, planOf);
  if (KindGuard.IsUnion(schema)) return nullablePlan(schema, planOf);
  if (KindGuard.IsArray(schema)) return listPlan(schema, planOf);
  if (KindGuard.IsLiteral(schema)) return flagPlan(schema);
  if (KindGuard.IsBoolean(schema)) return booleanPlan;
  if (KindGuard.IsInteger(schema)) return countPlan(schema);
  if (KindGuard.IsNumber(schema)) return budgetPlan(schema);
  if (schema['type'] === 'string') return stringPlan(schema);
  throw new TypeError(`No reader for a schema of the kind ${String(schema['type'])}`);
}
