import { textIn } from '../domain/records/record-kind.js';
import type { SessionKey } from '../domain/session-key.js';
import { reconciliationContent } from '../domain/trace.js';
import { authorOf, type Caller } from './caller.js';
import { mayWriteToSession } from './session-access.js';
import { appendEvent, linkEvent } from './session-chain.js';
import type { Store, Transaction } from './store.js';
import type { EffectKey, Reconciliation, RecordKey, StoredRecord } from './stored.js';

/** The settlement of an effect whose outcome was unknown. */
export interface Settlement extends Reconciliation, EffectKey {}

export type SettlementResult =
  | { readonly kind: 'settled' | 'settled_before'; readonly record: StoredRecord }
  /** There is no such effect, or none in a session of the caller's. */
  | { readonly kind: 'not_found' }
  /** The effect is not unknown, and was not settled in this way. */
  | { readonly kind: 'not_unknown'; readonly record: StoredRecord };

/**
 * Settles an unknown effect on evidence: the only way out of unknown. Its event is the only one that the change leaves.
 * The same settlement again is answered like the first one, with no second event.
 */
export async function reconcile(
  store: Store,
  settlement: Settlement,
  caller: Caller,
): Promise<SettlementResult> {
  const { tenant_id, idempotency_key } = settlement;
  // The session of an effect never changes, so that it may be read before the lock.
  const unlocked = await store.transact(settlement, async (transaction) => ({
    result: await transaction.findRecord(recordOf(settlement)),
  }));
  if (!unlocked) return { kind: 'not_found' };
  const session = { tenant_id, session_id: textIn(unlocked.fields, 'session_id') };
  return store.transactInTurn<SettlementResult>(session, async (transaction) => {
    const { head, found } = await transaction.lockSession(session, () =>
      readKnown(transaction, settlement, caller, session),
    );
    const { record, last, now, allowed } = found;
    if (!record || !allowed) return { result: { kind: 'not_found' } };
    if (record.fields['side_effect_status'] !== 'side_effect_unknown') {
      const again =
        last !== undefined &&
        isSame(last, settlement) &&
        record.fields['side_effect_status'] === last.outcome;
      return { result: { kind: again ? 'settled_before' : 'not_unknown', record } };
    }

    const { outcome, evidence_refs, reconciled_by } = settlement;
    const revision = record.revision + 1;
    // The store lets an effect leave unknown only behind its reconciliation.
    const [, settled] = await Promise.all([
      transaction.insertReconciliation(settlement, {
        outcome,
        evidence_refs,
        reconciled_by,
        revision,
        reconciled_at: now,
      }),
      transaction.saveRecord({
        ...recordOf(settlement),
        fields: { ...record.fields, side_effect_status: outcome },
      }),
    ]);
    const content = reconciliationContent({
      idempotency_key,
      outcome,
      evidence_refs,
      reconciled_by,
      revision,
    });
    const event = linkEvent(head, { ...session, ...authorOf(caller), occurred_at: now }, content);
    return {
      result: { kind: 'settled', record: settled },
      writes: appendEvent(transaction, session, { ...head, has_records: true }, event),
    };
  });
}

async function readKnown(
  transaction: Transaction,
  settlement: Settlement,
  caller: Caller,
  session: SessionKey,
) {
  const [allowed, now, record, last] = await Promise.all([
    mayWriteToSession(transaction, caller, session),
    transaction.readClock(),
    transaction.findRecord(recordOf(settlement)),
    transaction.findReconciliation(settlement),
  ]);
  return { allowed, now, record, last };
}

function recordOf({ tenant_id, idempotency_key }: EffectKey): RecordKey {
  return { name: 'side_effect', tenant_id, keys: { idempotency_key } };
}

function isSame(one: Reconciliation, other: Reconciliation): boolean {
  return (
    one.outcome === other.outcome &&
    one.reconciled_by === other.reconciled_by &&
    one.evidence_refs.join('\n') === other.evidence_refs.join('\n')
  );
}
