import { Validator } from '@cfworker/json-schema';

import { GateFailureError } from './failures.js';
import { answers, definitions } from './generated/answer-schemas.js';

/**
 * Holds an answer to the API document: its status must be promised for the operation, its media type for that status,
 * and its body must match the schema to the letter. What is not promised can't be understood, and so is no answer.
 */
export function checkAnswer(path: string, method: string, answer: Answered): void {
  const schema = answers[path]?.[method.toLowerCase()]?.[String(answer.status)]?.[answer.mediaType];
  if (schema === undefined) {
    throw malformed(`${answer.status} ${answer.mediaType} is no answer to ${method} ${path}`);
  }
  if (!answer.mediaType.endsWith('json')) return;
  const [fault] = validatorOf(schema).validate(parsed(answer.text)).errors;
  if (fault) throw malformed(`${fault.instanceLocation} of the answer violates ${fault.keywordLocation}`);
}

export interface Answered {
  readonly status: number;
  readonly mediaType: string;
  readonly text: string;
}

const validators = new WeakMap<object, Validator>();

function validatorOf(schema: object): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const made = new Validator({ ...schema, $defs: definitions }, '2020-12');
  validators.set(schema, made);
  return made;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed('The answer is not JSON', cause);
  }
}

function malformed(detail: string, cause?: unknown): GateFailureError {
  return new GateFailureError('malformed_answer', detail, cause);
}
