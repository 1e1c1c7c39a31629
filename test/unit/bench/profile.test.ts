import { expect, it } from 'vitest';

import { selfTimes } from '../../bench/profile.js';

it('adds up the own time of every function, and leaves out what was idle', () => {
  const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 4 });
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(idle)') },
      { id: 2, callFrame: frame('decide', 'file:///gate/dist/domain/decide.js') },
      { id: 3, callFrame: frame('writev') },
      { id: 4, callFrame: frame('writev') },
    ],
    samples: [1, 2, 3, 4, 2],
    timeDeltas: [9_000, 1_000, 2_000, 3_000, 500],
  };
  expect(selfTimes(profile)).toEqual([
    { what: 'writev', ms: 5 },
    { what: 'decide dist/domain/decide.js:5', ms: 1.5 },
  ]);
});
