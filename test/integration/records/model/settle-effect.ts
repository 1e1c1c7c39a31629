import fc from 'fast-check';

import { recordsOfTenant } from '../../../support/records.js';
import { isUnknown } from './decisions.js';
import { holdAnswer } from './hold-answer.js';
import { recordsOf, settle, type Body } from './store.js';
import { command, mostly, tenantIn, tenantName, type ModelCommand } from './world.js';

/** Settles an unknown effect if there is one, else the one of the key. */
function settleEffect(name: string, otherKey: string, settlement: Body): ModelCommand {
  return command(`settle ${name} ${otherKey} ${JSON.stringify(settlement)}`, async (model, real) => {
    const tenant = tenantIn(model, name);
    const [unknown] = [...recordsOf(tenant, 'side-effects/')].filter(([, effect]) => isUnknown(effect));
    const key = unknown?.[0] ?? otherKey;
    const expected = settle(tenant, key, settlement);

    const records = recordsOfTenant(real.gate, real.prefix + name);
    const answer = await records.post(`side-effects/${key}/reconciliation`, settlement);

    holdAnswer('settle', answer, expected, real);
  });
}

export const settlements: fc.Arbitrary<ModelCommand> = fc
  .tuple(
    tenantName,
    mostly('k0', 'k1', 'k2'),
    fc.record({
      outcome: fc.constantFrom('side_effect_committed', 'not_started'),
      evidence_refs: mostly(['e0'], ['e0', 'e1']),
      reconciled_by: mostly('me', 'you'),
    }),
  )
  .map(([tenant, key, settlement]) => settleEffect(tenant, key, settlement));
