import type * as Core from '../../../src/domain/decide.js';
import type { DecisionFacts } from '../../../src/domain/facts.js';
import { rules } from '../../../src/domain/rules.js';
import type { WeakenedGate } from './weakened-gates.js';

/** The rules that this program's gate decides by, where a test file mocks the core with `deciding`. */

let inForce = rules;
let noteFacts: ((facts: DecisionFacts) => void) | undefined;

/** The core, deciding by the rules in force. */
export function deciding(core: typeof Core): typeof Core {
  return {
    ...core,
    decide: (facts) => {
      noteFacts?.(facts);
      return core.decide(facts, inForce);
    },
  };
}

/** Uses this program's gate while one of its rules is weakened. */
export async function whileWeakened<T>(gate: WeakenedGate, use: () => Promise<T>): Promise<T> {
  inForce = gate.weaken(rules);
  try {
    return await use();
  } finally {
    inForce = rules;
  }
}

/** Uses this program's gate while the facts of its decisions are told. */
export async function whileNoting<T>(note: typeof noteFacts, use: () => Promise<T>): Promise<T> {
  noteFacts = note;
  try {
    return await use();
  } finally {
    noteFacts = undefined;
  }
}
