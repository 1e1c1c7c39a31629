import type { Checkpoint } from '@langchain/langgraph-checkpoint';
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { Pool } from 'pg';

import type { Work } from './drive.js';
import { sealBody, sessionIdOf, type Session } from './session.js';
import type { Stops } from '../../src/stops.js';

/** A checkpoint store of the same field, which decides nothing: it saves the same payload and reads it back. */
export async function peerWork(
  connectionString: string,
  nextSession: () => Session,
  stops: Stops,
): Promise<Work> {
  const pool = new Pool({ connectionString, max: 8 });
  pool.on('error', () => undefined);
  const saver = new PostgresSaver(pool);
  await saver.setup();
  stops.push(() => saver.end());
  let step = 0;
  const run = async () => {
    const session = nextSession();
    step += 1;
    const configurable = { thread_id: sessionIdOf(session), checkpoint_ns: '' };
    const versions = { state: step };
    const checkpoint: Checkpoint = {
      ...emptyCheckpoint(),
      id: uuid6(step),
      channel_values: { state: sealBody(session, session.envelope_id).continuity_envelope },
      channel_versions: versions,
    };
    const saved = await saver.put(
      { configurable },
      checkpoint,
      { source: 'loop', step, parents: {} },
      versions,
    );
    const found = await saver.getTuple(saved);
    if (found?.checkpoint.id !== checkpoint.id) throw new Error('The peer has not found what it saved');
  };
  return { name: 'peer', run };
}
