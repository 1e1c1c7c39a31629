import fc from 'fast-check';

import type { Kind } from './store.js';
import { mostly, sessionId } from './world.js';

/** Where records stand: few enough places that calls meet. */
export const recordAt: Readonly<Record<Kind, fc.Arbitrary<{ path: string; session?: string }>>> = {
  policy: fc.constant({ path: 'policy' }),
  capability: mostly('create', 'close').map((name) => ({ path: `capabilities/${name}` })),
  principal: mostly('p0', 'p1').map((id) => ({ path: `principals/${id}` })),
  session: sessionId.map((session) => ({ path: `sessions/${session}`, session })),
  obligation: fc
    .tuple(sessionId, fc.constantFrom('o0', 'o1'))
    .map(([session, id]) => ({ path: `sessions/${session}/obligations/${id}`, session })),
  constraint: fc.constantFrom('r0', 'r1', 'r2').map((ref) => ({ path: `constraints/${ref}` })),
  approval: mostly('a0', 'a1', 'a2').map((id) => ({ path: `approvals/${id}` })),
  side_effect: mostly('k0', 'k1', 'k2').map((key) => ({ path: `side-effects/${key}` })),
};
