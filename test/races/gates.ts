import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { edited, type Edit } from '../support/edit-json.js';
import { matchingEvents, matchingRecords, type RecordName } from '../support/records.js';
import { requestsOf } from '../support/requests.js';
import type { Mutant, WorkerOptions } from './worker.js';

/** A gate that serves on a port of its own. */
export interface Gate {
  readonly url: string;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('start-worker.js', import.meta.url));

/** Starts several gates over one database; each has its own process and its own pool. */
export function startGates(
  count: number,
  connectionString: string,
  mutant: Mutant = 'none',
): Promise<Gate[]> {
  return Promise.all(Array.from({ length: count }, () => startGate({ connectionString, mutant })));
}

/** A gate with the process that it is. */
export interface GateInProcess extends Gate {
  readonly child: ChildProcess;
}

export async function startGate(options: WorkerOptions): Promise<GateInProcess> {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const first = await Promise.race([once(lines, 'line'), ended]);
  if (typeof first[0] !== 'string') throw new Error('A gate ended before it served anything');
  const { url } = JSON.parse(first[0]) as { url: string };
  return {
    child,
    url,
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

const agent = new Agent({ keepAlive: true });

/** One request with its answer, timed by the one clock of the process that asks. */
export interface Timed {
  /** Milliseconds of a monotonic clock, before the first byte was sent and after the last one had come. */
  readonly start: number;
  readonly end: number;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export async function send(
  { url }: Gate,
  method: 'GET' | 'PUT' | 'POST',
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Timed> {
  const start = performance.now();
  const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const outgoing = request(new URL(path, url), {
      method,
      agent,
      headers: { 'content-type': 'application/json', ...headers },
    });
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      text(incoming).then((content) => {
        resolve({ status: incoming.statusCode ?? 0, text: content });
      }, reject);
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
  const end = performance.now();
  return { start, end, status: answer.status, body: JSON.parse(answer.text) as Timed['body'] };
}

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
