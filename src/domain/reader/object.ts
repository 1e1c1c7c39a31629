import { TypeGuard, type TObject, type TSchema } from '@sinclair/typebox';

import { echo } from '../format-error.js';
import { faulty, memberOf, root, type Faults, type Place } from './faults.js';
import type { Plan } from './plan.js';
import { readingOf } from './reading.js';

/**
 * An object. Only its own members count, so that no inherited name passes for a field, and a member that is undefined
 * is absent, as in JSON text.
 */
export function objectPlan(schema: TObject, planOf: (schema: TSchema) => Plan): Plan {
  const { malformed, standsAlone = false, checkedTogetherUpTo, nullTogether } = readingOf(schema);
  const fields = Object.entries(schema.properties).map(([key, property]) => fieldOf(key, property, planOf));
  const stages = stagesOf(fields, checkedTogetherUpTo);
  const known = new Set(Object.keys(schema.properties));
  return {
    read: (value, at, faults) => {
      const place = standsAlone ? { ...at, standsAlone } : at;
      if (!isObject(value)) return tellOther(value, malformed, place, faults);
      tellUnknown(value, known, place, faults);
      const read: Members = {};
      for (const stage of stages) {
        for (const field of stage.read) readField(field, value, read, place, faults);
        for (const field of stage.check) checkField(field, read, place, faults);
      }
      if (nullTogether) checkNullTogether(nullTogether, read, place, faults);
      return read;
    },
  };
}

type Members = Record<string, unknown>;

interface Field extends Plan {
  readonly key: string;
  readonly isOptional: boolean;
  /** The field with which an optional one is required. */
  readonly requiredWith: string | undefined;
  /** The fields that it needs beside each of its literals. */
  readonly needs: ReadonlyMap<unknown, readonly string[]>;
}

function fieldOf(key: string, schema: TSchema, planOf: (schema: TSchema) => Plan): Field {
  const { requiredWith, needs = {} } = readingOf(schema);
  return {
    ...planOf(schema),
    key,
    isOptional: TypeGuard.IsOptional(schema),
    requiredWith,
    needs: new Map(Object.entries(needs)),
  };
}

interface Stage {
  readonly read: readonly Field[];
  readonly check: readonly Field[];
}

/**
 * The fields in the order in which they are read, in stages: the values of a stage are checked once all its fields have
 * been read. A stage is one field, or as many as have to be there before the values of one can be checked.
 */
function stagesOf(fields: readonly Field[], checkedTogetherUpTo: string | undefined): Stage[] {
  const stages: Field[][] = [];
  const indexOf = (key: string | undefined) => fields.findIndex((field) => field.key === key);
  let last = indexOf(checkedTogetherUpTo);
  for (const [index, field] of fields.entries()) {
    const stage = stages.at(-1);
    if (stage && index <= last) stage.push(field);
    else stages.push([field]);
    last = Math.max(last, ...[...field.needs.values()].flat().map(indexOf));
  }
  return stages.map((read) => ({
    read,
    check: [...read.filter(({ isChoice }) => isChoice), ...read.filter(({ isChoice }) => !isChoice)],
  }));
}

function readField(field: Field, given: Members, read: Members, place: Place, faults: Faults): void {
  const { key } = field;
  const value = memberOrAbsent(given, key);
  if (value === undefined && mayBeAbsent(field, given)) return;
  read[key] = field.read(value, memberOf(place, key), faults);
}

function mayBeAbsent({ isOptional, requiredWith }: Field, given: Members): boolean {
  return isOptional && (requiredWith === undefined || memberOrAbsent(given, requiredWith) === undefined);
}

function checkField(field: Field, read: Members, place: Place, faults: Faults): void {
  const { key, check, needs } = field;
  const value = read[key];
  if (!check || value === faulty || !Object.hasOwn(read, key)) return;
  check(value, memberOf(place, key), faults);
  for (const needed of needs.get(value) ?? []) {
    if (read[needed] === undefined || read[needed] === '') {
      faults.tellField('is required', memberOf(place, needed));
    }
  }
}

function checkNullTogether(
  [first, second]: readonly [string, string],
  read: Members,
  place: Place,
  faults: Faults,
): void {
  if (read[first] === faulty || read[second] === faulty) return;
  if ((read[first] === null) === (read[second] === null)) return;
  faults.tellField(`must be null together with ${first}`, memberOf(place, second));
}

function tellOther(value: unknown, malformed: string | undefined, place: Place, faults: Faults) {
  if (malformed !== undefined) return faults.tell(malformed, place);
  if (place === root) return faults.tell('Continuity request must be an object', place);
  return faults.tellField(value === undefined ? 'is required' : 'must be an object', place);
}

function tellUnknown(value: Members, known: ReadonlySet<string>, place: Place, faults: Faults): void {
  for (const key of Object.keys(value)) {
    if (value[key] !== undefined && !known.has(key)) {
      faults.tellField('is not supported', memberOf(place, echo(key)));
    }
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function memberOrAbsent(members: Members, key: string): unknown {
  return Object.hasOwn(members, key) ? members[key] : undefined;
}
