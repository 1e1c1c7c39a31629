import type { TArray, TSchema } from '@sinclair/typebox';

import { faulty, memberOf, type Faults, type Place } from './faults.js';
import type { Plan } from './plan.js';
import { readingOf } from './reading.js';

/** A list: its entries are not looked at if there are too few or too many of them. */
export function listPlan(schema: TArray, planOf: (schema: TSchema) => Plan): Plan {
  const { minItems = 0, maxItems = Infinity } = schema;
  const { distinct = [] } = readingOf(schema);
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
      const read = items.map((item, key) => readItem(item, memberOf(place, key), faults));
      for (const key of distinct) checkDistinct(key, read, place, faults);
      return read;
    },
  };
}

/** An item that could not be read has been told of already. */
function checkDistinct(key: string, items: readonly unknown[], place: Place, faults: Faults): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const value = ownText(item, key);
    if (value === undefined) continue;
    if (seen.has(value)) faults.tellField('is there twice', memberOf(memberOf(place, index), key));
    seen.add(value);
  }
}

function ownText(item: unknown, key: string): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(item, key)?.value;
  return typeof value === 'string' ? value : undefined;
}
