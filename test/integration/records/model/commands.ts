import type fc from 'fast-check';

import { appendedBatches } from './append-events.js';
import { recordChanges } from './change-record.js';
import { preparations } from './prepare-session.js';
import { resumptions } from './resume-session.js';
import { sealings } from './seal-envelope.js';
import { settlements } from './settle-effect.js';
import type { ModelCommand } from './world.js';
import { recordWrites } from './write-record.js';

/** How often each call is made, beside the others. */
const weights: [calls: fc.Arbitrary<ModelCommand>, weight: number][] = [
  [preparations, 5],
  [recordWrites, 3],
  [recordChanges, 4],
  [appendedBatches, 1],
  [settlements, 1],
  [sealings, 6],
  [resumptions, 8],
];

/** Any call of the API, on few enough ids that calls meet. */
export const commands = weights.flatMap(([calls, weight]) => Array.from({ length: weight }, () => calls));
