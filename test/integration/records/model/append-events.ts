import fc from 'fast-check';

import { recordsOfTenant } from '../../../support/records.js';
import { holdAnswer } from './hold-answer.js';
import { append, type Body } from './store.js';
import { command, eventId, mostly, sessionId, tenantIn, tenantName, type ModelCommand } from './world.js';

/** Appends a batch to a session's log. */
export function appendEvents(tenant: string, session: string, events: readonly Body[]): ModelCommand {
  const told = events.map((event) => Object.values(event).join('/')).join();
  return command(`append ${tenant} ${session} ${told}`, async (model, real) => {
    const expected = append(tenantIn(model, tenant), session, events);

    const records = recordsOfTenant(real.gate, real.prefix + tenant);
    const answer = await records.post(`sessions/${session}/events`, { events });

    holdAnswer('append', answer, expected, real);
  });
}

export function eventOf(event_id: string, content_sha256 = 'sha256:0'): Body {
  return { event_id, event_type: 'call', content_sha256 };
}

const event = fc.tuple(eventId, mostly('sha256:0', 'sha256:1')).map(([id, content]) => eventOf(id, content));

export const appendedBatches: fc.Arbitrary<ModelCommand> = fc
  .tuple(tenantName, sessionId, fc.array(event, { minLength: 1, maxLength: 4 }))
  .map(([tenant, session, events]) => appendEvents(tenant, session, events));
