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
