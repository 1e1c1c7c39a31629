import type { ContinuityEnvelope } from '../domain/envelope/v1.js';
import type { SessionKey } from '../domain/session-key.js';
import { maySpeakFor, type Caller } from './caller.js';
import type { Transaction } from './store.js';
import type { SessionOwner } from './stored.js';

/** Whether the caller may read what belongs to the session. */
export async function mayReadSession(
  transaction: Transaction,
  caller: Caller,
  session: SessionKey,
): Promise<boolean> {
  return isOwner(caller, await ownerFor(transaction, caller, session));
}

/**
 * Whether the caller may write to the session: only once its record says whose it is. A token of the newest envelope's
 * principal would otherwise write the first record, and nobody would know any more whose the session is.
 */
export async function mayWriteToSession(
  transaction: Transaction,
  caller: Caller,
  session: SessionKey,
): Promise<boolean> {
  if (caller.principals === null) return true;
  const owner = await ownerFor(transaction, caller, session);
  return owner?.recorded != null && isOwner(caller, owner);
}

/**
 * Whether the caller may write the session's own record, with this principal in it. The first one makes the session the
 * principal's, so that nobody may write it for a session that has other records, or an envelope of somebody else.
 */
export async function mayWriteSessionRecord(
  transaction: Transaction,
  caller: Caller,
  session: SessionKey,
  principalId: string,
): Promise<boolean> {
  if (!maySpeakFor(caller, principalId)) return false;
  const owner = await ownerFor(transaction, caller, session);
  return owner === undefined || isUntouched(owner) || isOwner(caller, owner);
}

type Sealing = Pick<ContinuityEnvelope, 'principal_id' | 'reset_reason'>;

/**
 * Whether the caller may seal the envelope for a session of this owner; null: of nobody yet. Who hands over seals for the
 * principal that will resume, and for nobody else's session.
 */
export function maySeal(
  caller: Caller,
  { principal_id, reset_reason }: Sealing,
  owner: string | null,
): boolean {
  const handsOver = owner !== null && reset_reason === 'role_handoff';
  return (handsOver || maySpeakFor(caller, principal_id)) && maySpeakFor(caller, owner ?? principal_id);
}

/** Whether the caller may be told that the envelope was sealed: whoever handed over can't speak for its principal. */
export function maySealAgain(caller: Caller, { principal_id, reset_reason }: Sealing): boolean {
  return reset_reason === 'role_handoff' || maySpeakFor(caller, principal_id);
}

/** Read only for a token that is narrowed to principals. */
async function ownerFor(
  transaction: Transaction,
  { principals }: Caller,
  session: SessionKey,
): Promise<SessionOwner | undefined> {
  return principals === null ? undefined : transaction.readSessionOwner(session);
}

/**
 * The record says whose a session is and, where the gate holds no record of the session at all, its newest envelope. What
 * has records but none of the session itself is nobody's: anyone could seal an envelope to have it.
 */
function isOwner(caller: Caller, owner: SessionOwner | undefined): boolean {
  if (caller.principals === null) return true;
  const principal = owner?.recorded ?? (owner?.has_records === false ? owner.sealed : null);
  return principal !== null && maySpeakFor(caller, principal);
}

function isUntouched({ recorded, sealed, has_records }: SessionOwner): boolean {
  return recorded === null && sealed === null && !has_records;
}
