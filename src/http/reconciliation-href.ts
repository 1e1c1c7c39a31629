/** Where an effect of a tenant is settled. */
export function reconciliationHref(tenantId: string, idempotencyKey: string): string {
  return `/tenants/${encodeURIComponent(tenantId)}/side-effects/${encodeURIComponent(idempotencyKey)}/reconciliation`;
}
