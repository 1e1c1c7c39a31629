import { KindGuard, type TSchema, type TUnion } from '@sinclair/typebox';

import type { Plan } from './plan.js';

/** A value that may be null instead, and has to be there. */
export function nullablePlan({ anyOf }: TUnion, planOf: (schema: TSchema) => Plan): Plan {
  const [schema, ...others] = anyOf.filter((option) => !KindGuard.IsNull(option));
  if (!schema || others.length > 0) throw new TypeError('No reader for a choice between several schemas');
  const { read, check } = planOf(schema);
  return {
    read: (value, place, faults) => (value === null ? null : read(value, place, faults)),
    ...(check && {
      check: (value, place, faults) => {
        if (value !== null) check(value, place, faults);
      },
    }),
  };
}
