import type {
  EffectKey,
  RecordedReconciliation,
  Reconciliation,
  UnknownEffect,
  UnknownEffectFilter,
} from '../app/stored.js';
import type { SqlTransaction } from './sql.js';

/** Puts the settlement of an effect on record; `revision` is the effect's next one, which the settlement is to make. */
export async function insertReconciliation(
  transaction: SqlTransaction,
  effect: EffectKey,
  settled: RecordedReconciliation,
): Promise<void> {
  await transaction.query({
    name: 'insert_reconciliation',
    text: `
      insert into reconciliations (
        tenant_id, idempotency_key, revision, reconciled_at, outcome, evidence_refs, reconciled_by
      )
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      effect.tenant_id,
      effect.idempotency_key,
      settled.revision,
      settled.reconciled_at,
      settled.outcome,
      settled.evidence_refs,
      settled.reconciled_by,
    ],
  });
}

/** The last settlement of an effect; undefined if it never was settled. */
export async function findReconciliation(
  transaction: SqlTransaction,
  effect: EffectKey,
): Promise<Reconciliation | undefined> {
  const [row] = await transaction.query<Reconciliation>({
    name: 'find_reconciliation',
    text: `
      select outcome, evidence_refs, reconciled_by
      from reconciliations
      where tenant_id = $1 and idempotency_key = $2
      order by revision desc
      limit 1`,
    values: [effect.tenant_id, effect.idempotency_key],
  });
  return row;
}

/** The tenant's unknown effects, oldest first: all of them, or those in sessions of these principals. */
export async function readUnknownEffects(
  transaction: SqlTransaction,
  { tenant_id, principals }: UnknownEffectFilter,
  { limit }: { readonly limit: number },
): Promise<UnknownEffect[]> {
  return transaction.query<UnknownEffect>({
    name: 'read_unknown_effects',
    text: `
      select
        idempotency_key,
        session_id,
        capability_name,
        approval_id,
        rfc3339(updated_at) as updated_at,
        floor(extract(epoch from clock_timestamp() - side_effects.updated_at))::float8 as age_seconds
      from side_effects
      where tenant_id = $1
        and side_effect_status = 'side_effect_unknown'
        and (
          $3::text[] is null
          or (
            select principal_id from sessions where tenant_id = $1 and session_id = side_effects.session_id
          ) = any($3)
        )
      order by side_effects.updated_at, idempotency_key collate "C"
      limit $2`,
    values: [tenant_id, limit, principals],
  });
}
