import { expect, it } from 'vitest';

import { rules } from '../../../src/domain/rules.js';
import { beforeEffects } from '../../../src/evals/checks.js';

it('the evals excuse a stop by the rules that keep effects from being told, and by no other', () => {
  const withholding = rules.filter(({ identity, withholds }) => identity ?? withholds === 'reconciliation');

  expect(beforeEffects).toEqual(withholding.map(({ reason }) => reason));
});
