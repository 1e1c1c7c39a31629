/** On whose word a request is acted upon, as far as it was established before the request was read. */
export interface Caller {
  /** The token's subject, or `open`. */
  readonly actor: string;
  /** The tenants that the caller may touch; null: every one. */
  readonly tenants: readonly string[] | null;
  /** The principals that the caller may speak for; null: any of its tenants. */
  readonly principals: readonly string[] | null;
  /** Whether this caller's account of the current state may stand in for records. */
  readonly mayAttest: boolean;
  /** Whether a refused write may tell this caller what the record says. */
  readonly mayReadRecords: boolean;
  /** The span that called, if the call says so. */
  readonly span?: { readonly trace_id: string; readonly span_id: string };
}

export function mayTouchTenant({ tenants }: Caller, tenantId: string): boolean {
  return tenants === null || tenants.includes(tenantId);
}

export function maySpeakFor({ principals }: Caller, principalId: string): boolean {
  return principals === null || principals.includes(principalId);
}

/** What every event says of its caller; an event of a run has the run's own trace instead. */
export function authorOf({ actor, span }: Caller) {
  return { actor, trace_id: span?.trace_id ?? null, span_id: span?.span_id ?? null };
}
