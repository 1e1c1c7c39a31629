import type { TInteger, TLiteral, TNumber, TSchema } from '@sinclair/typebox';

import { hasControlCharacter, isDots, isLongerThan, trimWhiteSpace } from '../text.js';
import { parseTimestamp } from '../time.js';
import { nameOf } from './faults.js';
import type { Check, Plan } from './plan.js';
import { readingOf } from './reading.js';

/** Text: one line of it, unless the schema says otherwise. */
export function stringPlan(schema: TSchema): Plan {
  const read = readText(schema);
  const choice = checkChoice(schema);
  if (choice) return { read, check: choice, isChoice: true };
  const check = checkTime(schema) ?? checkPattern(schema);
  return check ? { read, check } : { read };
}

/** What is left of a budget: finite and not negative. */
export function budgetPlan(schema: TNumber): Plan {
  const malformed = wordsFor('malformed', schema);
  return {
    read: (value, place, faults) =>
      typeof value === 'number' && Number.isFinite(value) && value >= 0
        ? withoutNegativeZero(value)
        : faults.tell(malformed, place),
  };
}

/** A whole number that JavaScript holds exactly, within the limits of its schema. */
export function countPlan({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: TInteger): Plan {
  const rule =
    minimum === 0 ? 'must be a non-negative integer' : `must be an integer from ${minimum} to ${maximum}`;
  return {
    read: (value, place, faults) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum && value <= maximum
        ? withoutNegativeZero(value)
        : faults.tellField(rule, place),
  };
}

export const booleanPlan: Plan = {
  read: (value, place, faults) =>
    typeof value === 'boolean' ? value : faults.tellField('must be a boolean', place),
};

/** A flag that can say one thing only; whether it is there at all is checked with the values. */
export function flagPlan(schema: TLiteral): Plan {
  const malformed = wordsFor('malformed', schema);
  const refused = wordsFor('refused', schema);
  return {
    read: (value) => value,
    check: (value, place, faults) => {
      if (typeof value !== 'boolean') faults.tell(malformed, place);
      else if (value !== schema.const) faults.tell(refused, place);
    },
  };
}

function readText(schema: TSchema): Plan['read'] {
  const { malformed, anyCharacter = false, standsInPaths = false } = readingOf(schema);
  const { minLength = 0, maxLength = Infinity, 'x-multiline': multiline = false } = limitsOf(schema);
  return (value, place, faults) => {
    const tell = (rule: string) =>
      malformed === undefined ? faults.tellField(rule, place) : faults.tell(malformed, place);
    if (value === undefined) return tell('is required');
    if (typeof value !== 'string') return tell('must be a string');
    const text = trimWhiteSpace(value);
    if (text === '' && minLength > 0) return tell('is required');
    if (!text.isWellFormed() || (!anyCharacter && hasControlCharacter(text, { multiline }))) {
      return tell('has a character that is not allowed');
    }
    if (isLongerThan(text, maxLength)) return tell('is too long');
    return standsInPaths && isDots(text) ? tell('must not be . or ..') : text;
  };
}

function checkChoice(schema: TSchema): Check | undefined {
  const { enum: allowed, title } = limitsOf(schema);
  if (!allowed) return undefined;
  return (value, place, faults) => {
    const text = String(value);
    if (allowed.includes(text)) return;
    faults.tell(`Continuity ${title ?? 'value'} is not supported: ${text}`, place, allowed);
  };
}

function checkTime(schema: TSchema): Check | undefined {
  if (limitsOf(schema).format !== 'date-time') return undefined;
  const { malformed, withoutOffset } = readingOf(schema);
  return (value, place, faults) => {
    const instant = parseTimestamp(String(value));
    if (instant === 'invalid') {
      faults.tell(malformed ?? `Continuity timestamp is invalid: ${nameOf(place)}`, place);
    }
    if (instant === 'no_offset') {
      faults.tell(withoutOffset ?? `Continuity timestamp must include a timezone: ${nameOf(place)}`, place);
    }
  };
}

function checkPattern(schema: TSchema): Check | undefined {
  const { pattern } = limitsOf(schema);
  if (pattern === undefined) return undefined;
  const expression = new RegExp(pattern, 'u');
  const refused = wordsFor('refused', schema);
  return (value, place, faults) => {
    if (!expression.test(String(value))) faults.tell(refused, place);
  };
}

interface StringLimits {
  readonly title?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly 'x-multiline'?: boolean;
}

function limitsOf(schema: StringLimits): StringLimits {
  return schema;
}

/** Words that a schema must bring along, since none would do for every field. */
function wordsFor(name: 'malformed' | 'refused', schema: TSchema): string {
  const words = readingOf(schema)[name];
  if (words === undefined) throw new TypeError(`A schema has no words for a value that is ${name}`);
  return words;
}

/** JSON text and the store know one zero, so that a digest over the value doesn't depend on its sign. */
function withoutNegativeZero(value: number): number {
  return value === 0 ? 0 : value;
}
