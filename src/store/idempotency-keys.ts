import type { Transaction } from './database.js';

/** What stands under an `Idempotency-Key`. */
export interface KeptAnswer {
  readonly request_sha256: string;
  readonly decision_id: string;
}

/** An `Idempotency-Key` with the request that claims it and the decision that the claim would keep. */
export interface KeyClaim extends KeptAnswer {
  readonly tenant_id: string;
  readonly idempotency_key: string;
}

/**
 * Claims a key for a decision that is about to be made, and returns undefined; or returns what is kept under it.
 *
 * A claim that another transaction is making is waited for. Answers older than a day are forgotten here.
 */
export async function claimKey(transaction: Transaction, claim: KeyClaim): Promise<KeptAnswer | undefined> {
  const key = [claim.tenant_id, claim.idempotency_key];
  const [, claimed, [kept]] = await Promise.all([
    transaction.query({
      name: 'forget_old_key',
      text: `
        delete from idempotency_keys
        where tenant_id = $1 and idempotency_key = $2 and created_at < clock_timestamp() - interval '24 hours'`,
      values: key,
    }),
    transaction.query({
      name: 'claim_key',
      text: `
        insert into idempotency_keys (tenant_id, idempotency_key, request_sha256, decision_id, created_at)
        values ($1, $2, $3, $4, clock_timestamp())
        on conflict (tenant_id, idempotency_key) do nothing
        returning idempotency_key`,
      values: [...key, claim.request_sha256, claim.decision_id],
    }),
    transaction.query<{ request_sha256: string; decision_id: string }>({
      name: 'find_key',
      text: `
        select request_sha256, decision_id
        from idempotency_keys
        where tenant_id = $1 and idempotency_key = $2
        for update`,
      values: key,
    }),
  ]);
  return claimed.length > 0 ? undefined : kept;
}

/** Keeps a newer decision under a key: the kept go no longer held, and the request was decided anew. */
export async function replaceKeptDecision(transaction: Transaction, claim: KeyClaim): Promise<void> {
  await transaction.query({
    name: 'replace_kept_decision',
    text: `
      update idempotency_keys
      set decision_id = $3, created_at = clock_timestamp()
      where tenant_id = $1 and idempotency_key = $2`,
    values: [claim.tenant_id, claim.idempotency_key, claim.decision_id],
  });
}
