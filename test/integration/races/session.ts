import { edited, type Edit } from '../../support/edit-json.js';
import { matchingEvents, matchingRecords, type RecordName } from '../../support/records.js';
import { requestsOf } from '../../support/requests.js';
import { send, type Timed } from './client.js';
import type { Gate } from './gates.js';

/** One session, with a tenant of its own, over whichever gate. */
export function sessionOf(prefix: string) {
  const run = requestsOf(prefix);
  const records = matchingRecords(run);
  const url = (path: string) => `/tenants/${run.tenant_id}/${path}`;
  return {
    ...run,
    records,

    put: (gate: Gate, name: RecordName, edit: Edit = {}): Promise<Timed> =>
      send(gate, 'PUT', url(records[name].path), edited(records[name].body, edit)),

    reconcile: (gate: Gate, outcome: string): Promise<Timed> =>
      send(gate, 'POST', url(`${records.side_effect.path}/reconciliation`), {
        outcome,
        evidence_refs: ['provider:receipt'],
        reconciled_by: 'reconciler',
      }),

    appendEvents: (gate: Gate): Promise<Timed> =>
      send(gate, 'POST', url(`sessions/${run.session_id}/events`), matchingEvents(run)),

    seal: (gate: Gate, envelope_id: string, session_epoch?: number): Promise<Timed> =>
      send(gate, 'POST', '/envelopes', run.sealRequest({ envelope: { envelope_id }, session_epoch })),

    rehydrate: (
      gate: Gate,
      changes: Readonly<Record<string, unknown>> = {},
      headers: Readonly<Record<string, string>> = {},
    ): Promise<Timed> =>
      send(
        gate,
        'POST',
        '/rehydrate',
        run.rehydrateRequest({ current_state: undefined, source_event_range: undefined, ...changes }),
        headers,
      ),
  };
}

export type Session = ReturnType<typeof sessionOf>;

export function recordNames(records: Session['records']): RecordName[] {
  return Object.keys(records) as RecordName[];
}

/** Writes everything that the session's first go needs. */
export async function prepare(session: Session, gate: Gate): Promise<void> {
  const written = [
    ...(await Promise.all(recordNames(session.records).map((name) => session.put(gate, name)))),
    await session.appendEvents(gate),
    await session.seal(gate, session.envelope_id),
  ];
  const refused = written.find(({ status }) => status !== 201);
  if (refused) throw new Error(`Not everything was written: ${JSON.stringify(refused.body)}`);
}
