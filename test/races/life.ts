import { setTimeout as sleep } from 'node:timers/promises';

import type { Edit } from '../support/edit-json.js';
import type { RecordName } from '../support/records.js';
import { recordNames, sessionOf, type Gate, type Session, type Timed } from './gates.js';
import type { Asked, Exchange, RehydrationAsked } from './history.js';
import { sealed } from './serial-model.js';

/** How many runtimes race with each writer; one more asks as soon as the write is acknowledged. */
const runtimes = 2;

/** How far apart the contenders of one race start at most, in milliseconds. */
const spread = 4;

/**
 * Lives one session through races, each of one writer against several runtimes on several gates, and tells what was
 * asked and answered. The last race is of a change that nothing brings back.
 */
export async function liveThrough(gates: readonly Gate[], prefix: string, ask: Ask): Promise<Lived> {
  const life = new Life(gates, prefix, ask);
  await life.begin();
  const changes = [...shuffled(passing).flat(), ...oneOf(final)];
  for (const change of changes) await life.race(change);
  return { exchanges: life.exchanges, races: changes.length };
}

export interface Lived {
  readonly exchanges: readonly Exchange[];
  readonly races: number;
}

/** How a request is sent: once, or until there is an answer. */
export type Ask = (sendOnce: () => Promise<Timed>) => Promise<Timed>;

type Change = (life: Life) => Promise<unknown>;

/** Changes after which the session goes on, each of them whole. */
const passing: readonly (readonly Change[])[] = [
  [(life) => life.write('policy', 'policy-v5'), (life) => life.write('policy', 'policy-v4')],
  [(life) => life.write('capability', 'v4'), (life) => life.write('capability', 'create-ticket-v3')],
  [(life) => life.write('principal', 'suspended'), (life) => life.write('principal', 'active')],
  [(life) => life.write('side_effect', 'side_effect_unknown'), (life) => life.reconcile('not_started')],
  [(life) => life.spend(9), (life) => life.spend(8)],
  [(life) => life.seal()],
];

/** Changes that the session doesn't survive. */
const final: readonly (readonly Change[])[] = [
  [(life) => life.write('approval', 'revoked')],
  [(life) => life.write('session', 'cancelled')],
  [(life) => life.write('side_effect', 'side_effect_committed')],
  [
    (life) => life.write('side_effect', 'side_effect_unknown'),
    (life) => life.reconcile('side_effect_committed'),
  ],
];

/** The field of each record that a rule of these races reads, and what it says at first. */
const decisive: Partial<Record<RecordName, { readonly field: string; readonly first: string }>> = {
  policy: { field: 'policy_version', first: sealed.policy },
  capability: { field: 'capability_version', first: sealed.capability },
  principal: { field: 'principal_status', first: sealed.principal },
  session: { field: 'session_status', first: sealed.session_status },
  approval: { field: 'approval_status', first: sealed.approval_status },
  side_effect: { field: 'side_effect_status', first: sealed.side_effect_status },
};

class Life {
  readonly exchanges: Exchange[] = [];
  readonly #gates: readonly Gate[];
  readonly #ask: Ask;
  readonly #session: Session;
  #envelope_id: string;
  /** The newest epoch that any answer has told, and the request under a key that opened it, if it was one. */
  #epoch = 0;
  #keyOfEpoch: RehydrationAsked | undefined;
  #runtimes = 0;
  readonly #repeatable: RehydrationAsked[] = [];

  constructor(gates: readonly Gate[], prefix: string, ask: Ask) {
    this.#gates = gates;
    this.#ask = ask;
    this.#session = sessionOf(prefix);
    this.#envelope_id = this.#session.envelope_id;
  }

  /** Writes everything that the first go needs. */
  async begin(): Promise<void> {
    const { records, envelope_id } = this.#session;
    await Promise.all(
      recordNames(records).map((record) => this.write(record, decisive[record]?.first ?? '')),
    );
    await this.#note({ kind: 'write', record: 'session_events', value: '' }, (gate) =>
      this.#session.appendEvents(gate),
    );
    await this.#note({ kind: 'seal', envelope_id, session_epoch: 0 }, (gate) =>
      this.#session.seal(gate, envelope_id),
    );
  }

  /** One writer against several runtimes. */
  async race(change: Change): Promise<void> {
    const writer = async () => {
      await sleep(Math.random() * spread);
      await change(this);
      await this.#resume(this.#lateRequest());
    };
    const keyed = this.#request({ keyed: true });
    const contenders = Array.from({ length: runtimes }, async () => {
      const asked = this.#anyRequest(keyed);
      await sleep(Math.random() * spread);
      await this.#resume(asked);
    });
    await Promise.all([writer(), ...contenders]);
  }

  write(record: RecordName, value: string, edit: Edit = {}, session_epoch?: number): Promise<Timed> {
    const { field } = decisive[record] ?? {};
    const set = { ...edit.set, ...(field !== undefined && { [`/${field}`]: value }) };
    return this.#note({ kind: 'write', record, value, session_epoch }, (gate) =>
      this.#session.put(gate, record, { ...edit, set }),
    );
  }

  /** A write of whoever holds the session, or believes to. */
  spend(budget_remaining: number): Promise<Timed> {
    const session_epoch = this.#epoch;
    const set = { '/budget_remaining': budget_remaining, '/session_epoch': session_epoch };
    return this.write('session', 'active', { set }, session_epoch);
  }

  reconcile(outcome: string): Promise<Timed> {
    return this.#note({ kind: 'reconcile', value: outcome }, (gate) =>
      this.#session.reconcile(gate, outcome),
    );
  }

  /** The next envelope, sealed by whoever holds the session, or believes to. */
  async seal(): Promise<void> {
    const asked = {
      kind: 'seal',
      envelope_id: `${this.#envelope_id}-next`,
      session_epoch: this.#epoch,
    } as const;
    const { status } = await this.#note(asked, (gate) =>
      this.#session.seal(gate, asked.envelope_id, asked.session_epoch),
    );
    if (status < 300) this.#envelope_id = asked.envelope_id;
  }

  /** What is asked when the change is acknowledged: anew, or again by whoever holds the session. */
  #lateRequest(): RehydrationAsked {
    return oneOf([this.#request(), this.#keyOfEpoch ?? this.#request()]);
  }

  #anyRequest(keyed: RehydrationAsked): RehydrationAsked {
    const choice = Math.random();
    if (choice < 0.3) return keyed;
    if (choice < 0.4) return this.#keyOfEpoch ?? keyed;
    if (choice < 0.5) return oneOf([...this.#repeatable, keyed]);
    return this.#request(choice < 0.65 ? { session_epoch: this.#epoch } : {});
  }

  #request({ keyed = false, session_epoch }: { keyed?: boolean; session_epoch?: number } = {}) {
    this.#runtimes += 1;
    const runtime_id = `runtime-${this.#runtimes}`;
    const idempotency_key = keyed ? `key-${this.#runtimes}` : undefined;
    return {
      kind: 'rehydrate',
      envelope_id: this.#envelope_id,
      runtime_id,
      session_epoch,
      idempotency_key,
    } as const;
  }

  async #resume(asked: RehydrationAsked): Promise<void> {
    const { envelope_id, runtime_id, session_epoch, idempotency_key } = asked;
    if (idempotency_key !== undefined) this.#repeatable.push(asked);
    const headers = idempotency_key === undefined ? {} : { 'idempotency-key': idempotency_key };
    await this.#note(asked, (gate) =>
      this.#session.rehydrate(gate, { envelope_id, runtime_id, session_epoch }, headers),
    );
  }

  async #note(asked: Asked, sendTo: (gate: Gate) => Promise<Timed>): Promise<Timed> {
    const timed = await this.#ask(() => sendTo(oneOf(this.#gates)));
    const { session_epoch } = timed.body;
    if (typeof session_epoch === 'number' && session_epoch > this.#epoch) {
      this.#epoch = session_epoch;
      this.#keyOfEpoch =
        asked.kind === 'rehydrate' && asked.idempotency_key !== undefined ? asked : undefined;
    }
    this.exchanges.push({ tenant_id: this.#session.tenant_id, asked, ...timed });
    return timed;
  }
}

function oneOf<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from');
  return item;
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
