import type { RecordRequest } from '../domain/parse-record.js';
import { decideRecordChange, newAncestors, type ChangeRefusal } from '../domain/record-change.js';
import { recordKinds, type KnownKind } from '../domain/record-kinds.js';
import { linkRefusal, recordId, sessionOf } from '../domain/record-links.js';
import { textIn, type RecordFields } from '../domain/records/record-kind.js';
import type { SessionKey } from '../domain/session-key.js';
import { recordContent, type TraceContent } from '../domain/trace.js';
import { authorOf, maySpeakFor, type Caller } from './caller.js';
import { mayWriteSessionRecord, mayWriteToSession } from './session-access.js';
import { appendEvent, linkEvent } from './session-chain.js';
import type { Outcome, Store, Transaction } from './store.js';
import type { RecordKey, Holder, StoredRecord } from './stored.js';
import { appendToTenant } from './tenant-chain.js';

/** A PUT of a record. */
export interface RecordPut extends RecordRequest, RecordKey {
  /** The revision that the writer has seen, or `any` for whichever is there; undefined: it doesn't say. */
  readonly ifMatch: number | 'any' | undefined;
}

export type RecordResult =
  | { readonly kind: 'created' | 'changed' | 'unchanged'; readonly record: StoredRecord }
  | {
      readonly kind: 'refused';
      readonly code: ChangeRefusal;
      readonly field: string;
      readonly current: StoredRecord | undefined;
    }
  /** It is about a session or a principal that is not the caller's. */
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'precondition_failed'; readonly current: StoredRecord | undefined }
  | ({ readonly kind: 'stale_epoch' } & Holder);

/** Writes a record by the rules of its kind, and leaves the event of the change, all or nothing. */
export async function writeRecord(store: Store, put: RecordPut, caller: Caller): Promise<RecordResult> {
  const { tenant_id } = put;
  const session_id = sessionOf(recordKinds[put.name], put);
  return store.transactInTurn({ tenant_id, session_id: session_id ?? null }, async (transaction) => {
    if (session_id === undefined) return writeForTenant(transaction, put, caller);
    const session = { tenant_id, session_id };
    const { head, found } = await transaction.lockSession(session, () => readKnown(transaction, put));
    if (!(await mayWrite(transaction, put, caller, session, found))) return { result: { kind: 'forbidden' } };
    if (put.session_epoch !== undefined && put.session_epoch !== head.session_epoch) {
      const { held_by, held_since } = head;
      return { result: { kind: 'stale_epoch', held_by, held_since } };
    }
    const cycle = await cycleIn(transaction, put, session, found);
    if (cycle) return { result: cycle };
    return write(transaction, put, found, (content) => {
      const event = linkEvent(head, { ...originOf(put, caller, found.now), session_id }, content);
      return appendEvent(transaction, session, { ...head, has_records: true }, event);
    });
  });
}

async function writeForTenant(
  transaction: Transaction,
  put: RecordPut,
  caller: Caller,
): Promise<Outcome<RecordResult>> {
  const principal_id = principalOf(put);
  if (principal_id !== null && !maySpeakFor(caller, principal_id)) return { result: { kind: 'forbidden' } };
  const { head: tip, found } = await transaction.lockTenant(put, () => readKnown(transaction, put));
  return write(transaction, put, found, (content) =>
    appendToTenant(transaction, tip, originOf(put, caller, found.now), content),
  );
}

interface Known {
  readonly now: string;
  readonly current: StoredRecord | undefined;
  /** The records that it is linked to, in the order of its kind's links. */
  readonly linked: readonly (RecordFields | undefined)[];
}

async function readKnown(transaction: Transaction, put: RecordPut): Promise<Known> {
  const [now, current, linked] = await Promise.all([
    transaction.readClock(),
    transaction.findRecord(put),
    transaction.findLinked(put),
  ]);
  return { now, current, linked };
}

/**
 * A record that is there may belong to another session than the one that is named now: its answer would tell of it. So
 * would that of one that descends from a session of somebody else, or from one that isn't there.
 */
async function mayWrite(
  transaction: Transaction,
  { name, tenant_id, keys, fields }: RecordPut,
  caller: Caller,
  session: SessionKey,
  { current }: Known,
): Promise<boolean> {
  const kind: KnownKind = recordKinds[name];
  const { principalField } = kind;
  const of = current && sessionOf(kind, { keys, fields: current.fields });
  const isMoved = of !== undefined && of !== session.session_id;
  if (isMoved && !(await mayWriteToSession(transaction, caller, { tenant_id, session_id: of }))) return false;
  for (const { id } of newAncestors(kind, current?.fields, fields)) {
    if (!(await mayWriteToSession(transaction, caller, { tenant_id, session_id: id }))) return false;
  }
  return principalField === undefined
    ? mayWriteToSession(transaction, caller, session)
    : mayWriteSessionRecord(transaction, caller, session, textIn(fields, principalField));
}

/** Two sessions that are made each other's ancestors at the same time don't see each other: only one at a time is looked at. */
async function cycleIn(
  transaction: Transaction,
  { name, fields }: RecordPut,
  session: SessionKey,
  { current }: Known,
): Promise<RecordResult | undefined> {
  const ancestors = newAncestors(recordKinds[name], current?.fields, fields);
  for (const { field, id } of ancestors) {
    if (await transaction.leadsBack(session, [id]))
      return { kind: 'refused', code: 'session_cycle', field, current };
  }
  return undefined;
}

async function write(
  transaction: Transaction,
  put: RecordPut,
  { current, linked }: Known,
  append: (content: TraceContent) => Promise<void>[],
): Promise<Outcome<RecordResult>> {
  const { name, keys, fields, ifMatch } = put;
  if (ifMatch !== undefined && !matches(ifMatch, current))
    return { result: { kind: 'precondition_failed', current } };
  const kind: KnownKind = recordKinds[name];
  const decided = decideRecordChange(kind, current?.fields, fields);
  if (decided.kind === 'refused') return { result: { ...decided, current } };
  if (decided.kind === 'unchanged' && current) return { result: { kind: 'unchanged', record: current } };
  const refusal = linkRefusal(kind, put, linked);
  if (refusal) return { result: { kind: 'refused', ...refusal, current } };
  const record = await transaction.saveRecord(put);
  const content = recordContent({ kind: name, id: recordId(kind, keys), revision: record.revision });
  return { result: { kind: decided.kind, record }, writes: append(content) };
}

function matches(ifMatch: number | 'any', current: StoredRecord | undefined): boolean {
  return current !== undefined && (ifMatch === 'any' || ifMatch === current.revision);
}

function originOf(put: RecordPut, caller: Caller, occurred_at: string) {
  return { occurred_at, tenant_id: put.tenant_id, ...authorOf(caller), principal_id: principalOf(put) };
}

/** The principal that a record is about; null if it is about none. */
function principalOf({ name, keys }: RecordPut): string | null {
  const { principalKey }: KnownKind = recordKinds[name];
  return principalKey === undefined ? null : (keys[principalKey] ?? null);
}
