import { GateFailureError } from './failures.js';
import type { SessionRef } from './wire.js';

/** What a runtime keeps of a session, so that it is the holder of its own go, also after a restart. */
export interface KeptSession {
  /** The epoch that this runtime knows. */
  readonly session_epoch?: number;
  /** Decision id of the go that opened that epoch: with it alone this runtime seals. Absent if it holds no go. */
  readonly decision_id?: string;
  /** A question whose answer did not come: asked again, it gets the same answer. */
  readonly unanswered?: {
    readonly request_sha256: string;
    readonly idempotency_key: string;
    readonly session_epoch: number;
  };
}

/** Where the epochs of sessions are kept. A store that can't write rejects; the run is stopped then. */
export interface EpochStore {
  read(session: SessionRef): Promise<KeptSession | undefined>;
  write(session: SessionRef, kept: KeptSession): Promise<void>;
}

/** Keeps epochs for as long as the process lives. */
export function memoryEpochStore(): EpochStore {
  const sessions = new Map<string, KeptSession>();
  return {
    read: (session) => Promise.resolve(sessions.get(sessionKey(session))),
    write: (session, kept) => {
      sessions.set(sessionKey(session), kept);
      return Promise.resolve();
    },
  };
}

/** One string a session, whatever characters its ids hold. */
export function sessionKey({ tenant_id, session_id }: SessionRef): string {
  return JSON.stringify([tenant_id, session_id]);
}

/** The store, with its failures told as those of asking. */
export function guardedStore(store: EpochStore): EpochStore {
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      throw new GateFailureError('epoch_not_kept', 'The epoch of the session could not be kept', cause);
    }
  };
  return {
    read: (session) => told(() => store.read(session)),
    write: (session, kept) => told(() => store.write(session, kept)),
  };
}
