/** What names a tenant. */
export interface TenantKey {
  readonly tenant_id: string;
}

/** What names a session: ids of sessions are unique within their tenant only. */
export interface SessionKey extends TenantKey {
  readonly session_id: string;
}

/** What names a chain of events: a session's own, or the tenant's for what belongs to no session. */
export interface ChainKey extends TenantKey {
  readonly session_id: string | null;
}
