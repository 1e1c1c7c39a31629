import { randomUUID } from 'node:crypto';

import { Pool } from 'pg';

import type { Work } from './drive.js';
import type { Gate } from './gate.js';
import { rehydrate, seal, type LoadedStore } from './load-store.js';
import { sessionIdOf, type Session } from './session.js';
import type { Stops } from '../../src/stops.js';

/** As many connections as the gate has; more are no faster on a few cores. */
const floorConnections = 8;

/** What the gate can't beat one request at a time: a statement that reads two rows by key and inserts one, committed. */
export async function floorWork(
  connectionString: string,
  sessions: readonly Session[],
  stops: Stops,
): Promise<Work> {
  const pool = new Pool({ connectionString, max: floorConnections });
  pool.on('error', () => undefined);
  stops.push(() => pool.end());
  await pool.query(`
    create table if not exists bench_floor (
      tenant_id text, id uuid, session_id text, session_epoch bigint, envelope_sha256 text, at timestamptz,
      primary key (tenant_id, id)
    )`);
  const next = inTurn(sessions);
  const run = async () => {
    const session = next();
    const { rowCount } = await pool.query({
      name: 'floor',
      text: `
        with head as (
          select session_id, session_epoch from session_heads where tenant_id = $1 and session_id = $2
        ), sealed as (
          select envelope, envelope_sha256 from envelopes where tenant_id = $1 and envelope_id = $3
        ), added as (
          insert into bench_floor
          select $1, $4, session_id, session_epoch, envelope_sha256, clock_timestamp() from head, sealed
          returning at
        )
        select head.session_epoch, sealed.envelope, added.at from head, sealed, added`,
      values: [session.tenant_id, sessionIdOf(session), session.envelope_id, randomUUID()],
    });
    if (rowCount !== 1) throw new Error('The floor has not read and written its rows');
  };
  return { name: 'floor', run };
}

export function gateWorks(gate: Gate, { records, attested }: LoadedStore): Work[] {
  const nextOfRecords = inTurn(records);
  return [
    rehydrateWork('rehydrate', gate, records),
    rehydrateWork('attested', gate, attested),
    { name: 'seal', run: () => sealNext(gate, nextOfRecords()) },
  ];
}

export function rehydrateWork(name: string, gate: Gate, sessions: readonly Session[]): Work {
  const next = inTurn(sessions);
  return { name, run: () => rehydrate(gate, next()) };
}

function sealNext(gate: Gate, session: Session): Promise<void> {
  return seal(gate, session, `envelope-${randomUUID()}`);
}

/** One after the other and from the beginning again, so that clients at the same time have sessions of their own. */
export function inTurn<T>(all: readonly T[]): () => T {
  let index = 0;
  return () => {
    const one = all[index % all.length];
    index += 1;
    if (one === undefined) throw new Error('There is nothing to take turns with');
    return one;
  };
}
