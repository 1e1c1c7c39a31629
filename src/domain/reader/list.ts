import type { TArray, TSchema } from '@sinclair/typebox';

import { faulty, memberOf, type Faults, type Place } from './faults.js';
import type { Plan } from './plan.js';

/** A list: its entries are not looked at if there are too few or too many of them. */
export function listPlan(schema: TArray, planOf: (schema: TSchema) => Plan): Plan {
  const { minItems = 0, maxItems = Infinity } = schema;
  const { read, check } = planOf(schema.items);
  const readItem = (item: unknown, place: Place, faults: Faults) => {
    const value = read(item, place, faults);
    if (value !== faulty) check?.(value, place, faults);
    return value;
  };
  return {
    read: (list, place, faults) => {
      if (list === undefined) return faults.tellField('is required', place);
      if (!Array.isArray(list)) return faults.tellField('must be an array', place);
      const items: unknown[] = list;
      if (items.length < minItems) return faults.tellField('is required', place);
      if (items.length > maxItems) return faults.tellField('is too long', place);
      return items.map((item, key) => readItem(item, memberOf(place, key), faults));
    },
  };
}
