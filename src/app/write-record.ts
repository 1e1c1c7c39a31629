import {
  recordKinds,
  type RecordFields,
  type RecordKind,
  type RecordKindName,
} from '../domain/record-kinds.js';
import type { RecordRequest } from '../domain/parse-record.js';
import { recordContent, type TraceContent } from '../domain/trace.js';
import { decideWrite, type WriteRefusal } from '../domain/write-record.js';
import { findBindingOfApproval, findEffectOfApproval, type ActionBinding } from '../store/approval-links.js';
import { readClock } from '../store/clock.js';
import { findRecord, saveRecord, type RecordKeys, type StoredRecord } from '../store/control-records.js';
import type { Database, Outcome, Transaction } from '../store/database.js';
import type { SessionEpoch } from '../store/session-heads.js';
import { authorOf, type Caller } from './caller.js';
import { lockAndRead, lockTenantAndRead } from './lock-and-read.js';
import { appendEvent, linkEvent } from './session-chain.js';
import { appendToTenant } from './tenant-chain.js';

/** A PUT of a record. */
export interface RecordPut extends RecordRequest {
  readonly name: RecordKindName;
  readonly tenant_id: string;
  readonly keys: RecordKeys;
  /** The revision that the writer has seen, or `any` for whichever is there; undefined: it doesn't say. */
  readonly ifMatch: number | 'any' | undefined;
}

export type RecordResult =
  | { readonly kind: 'created' | 'changed' | 'unchanged'; readonly record: StoredRecord }
  | {
      readonly kind: 'refused';
      readonly code: WriteRefusal;
      readonly field: string;
      readonly current: StoredRecord | undefined;
    }
  | { readonly kind: 'precondition_failed'; readonly current: StoredRecord | undefined }
  | ({ readonly kind: 'stale_epoch' } & SessionEpoch);

/** Writes a record by the rules of its kind, and leaves the event of the change, all or nothing. */
export async function writeRecord(database: Database, put: RecordPut, caller: Caller): Promise<RecordResult> {
  const { tenant_id } = put;
  const session_id = sessionOf(put);
  return database.transactInTurn({ tenant_id, session_id }, async (transaction) => {
    if (session_id === undefined) return writeForTenant(transaction, put, caller);
    const session = { tenant_id, session_id };
    const { head, found } = await lockAndRead(transaction, session, () => readKnown(transaction, put));
    if (put.session_epoch !== undefined && put.session_epoch !== head.session_epoch) {
      const { session_epoch, held_by, held_since } = head;
      return { result: { kind: 'stale_epoch', session_epoch, held_by, held_since } };
    }
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
  const { head: tip, found } = await lockTenantAndRead(transaction, put, () => readKnown(transaction, put));
  return write(transaction, put, found, (content) =>
    appendToTenant(transaction, tip, originOf(put, caller, found.now), content),
  );
}

interface Known {
  readonly now: string;
  readonly current: StoredRecord | undefined;
  readonly links: ApprovalLinks;
}

/** What there is of an approval and of the side effect that rests on it, whichever of them is written. */
interface ApprovalLinks {
  readonly approval: ActionBinding | undefined;
  readonly effect: (ActionBinding & { readonly idempotency_key: string }) | undefined;
}

async function readKnown(
  transaction: Transaction,
  { name, tenant_id, keys, fields }: RecordPut,
): Promise<Known> {
  const [now, current, links] = await Promise.all([
    readClock(transaction),
    findRecord(transaction, name, tenant_id, keys),
    readLinks(transaction, tenant_id, { name, approval_id: fields['approval_id'] ?? keys['approval_id'] }),
  ]);
  return { now, current, links };
}

async function readLinks(
  transaction: Transaction,
  tenantId: string,
  { name, approval_id }: { name: RecordKindName; approval_id: RecordFields[string] | undefined },
): Promise<ApprovalLinks> {
  if ((name !== 'approval' && name !== 'side_effect') || typeof approval_id !== 'string') {
    return { approval: undefined, effect: undefined };
  }
  const [approval, effect] = await Promise.all([
    findBindingOfApproval(transaction, tenantId, approval_id),
    findEffectOfApproval(transaction, tenantId, approval_id),
  ]);
  return { approval, effect };
}

async function write(
  transaction: Transaction,
  put: RecordPut,
  { current, links }: Known,
  append: (content: TraceContent) => Promise<void>[],
): Promise<Outcome<RecordResult>> {
  const { name, tenant_id, keys, fields, ifMatch } = put;
  if (ifMatch !== undefined && !matches(ifMatch, current))
    return { result: { kind: 'precondition_failed', current } };
  const kind: RecordKind = recordKinds[name];
  const decided = decideWrite(kind, current?.fields, fields);
  if (decided.kind === 'refused') return { result: { ...decided, current } };
  if (decided.kind === 'unchanged' && current) return { result: { kind: 'unchanged', record: current } };
  const refusal = linkRefusal(put, links);
  if (refusal) return { result: { kind: 'refused', ...refusal, current } };
  const record = await saveRecord(transaction, name, tenant_id, keys, fields);
  const content = recordContent({ kind: name, id: idOf(kind, keys), revision: record.revision });
  return { result: { kind: decided.kind, record }, writes: append(content) };
}

function matches(ifMatch: number | 'any', current: StoredRecord | undefined): boolean {
  return current !== undefined && (ifMatch === 'any' || ifMatch === current.revision);
}

/** One approval binds one side effect, and both are about the same action of the same session. */
function linkRefusal(
  { name, keys, fields }: RecordPut,
  { approval, effect }: ApprovalLinks,
): { code: WriteRefusal; field: string } | undefined {
  if (name === 'side_effect') {
    if (effect && effect.idempotency_key !== keys['idempotency_key']) {
      return { code: 'approval_already_bound', field: 'approval_id' };
    }
    return approval && mismatch(fields, approval);
  }
  return name === 'approval' && effect ? mismatch(fields, effect) : undefined;
}

function mismatch(
  fields: RecordFields,
  other: ActionBinding,
): { code: WriteRefusal; field: string } | undefined {
  const field = (['session_id', 'capability_name', 'action_digest'] as const).find(
    (name) => fields[name] !== other[name],
  );
  return field && { code: 'approval_mismatch', field };
}

/** The session that a record belongs to, from its path or from its body; undefined: the whole tenant. */
function sessionOf({ name, keys, fields }: RecordPut): string | undefined {
  const { sessionField }: RecordKind = recordKinds[name];
  if (sessionField === undefined) return undefined;
  return String(keys[sessionField] ?? fields[sessionField]);
}

/** What the trace calls a record: its innermost id; a policy is the tenant's only one. */
function idOf(kind: RecordKind, keys: RecordKeys): string {
  const innermost = kind.keys.at(-1);
  return innermost === undefined ? kind.kind : (keys[innermost] ?? kind.kind);
}

function originOf({ tenant_id, name, keys }: RecordPut, caller: Caller, occurred_at: string) {
  return {
    occurred_at,
    tenant_id,
    ...authorOf(caller),
    principal_id: name === 'principal' ? (keys['principal_id'] ?? null) : null,
  };
}
