import { maySpeakFor, mayTouchTenant, type Caller } from '../../app/caller.js';
import { Problem, problems } from '../problems.js';

/**
 * The tenant that a `GET` looks in: the one in its query, or the only one of its token. Undefined if the token may not
 * touch it: the caller is answered like one who asks for what does not exist.
 */
export function tenantToRead(caller: Caller, asked: string | undefined): string | undefined {
  if (asked !== undefined) return mayTouchTenant(caller, asked) ? asked : undefined;
  const only = onlyTenant(caller.tenants ?? []);
  if (only !== undefined) return only;
  const message = 'tenant_id is required, unless the token names exactly one tenant';
  throw new Problem('schema_invalid', message, { faults: [{ pointer: '/querystring/tenant_id', message }] });
}

/** Throws `forbidden` unless the caller may touch the tenant, whether it exists or not. */
export function requireTenant(caller: Caller, tenantId: string): void {
  if (!mayTouchTenant(caller, tenantId))
    throw new Problem('forbidden', 'The token does not name this tenant');
}

/** Throws `forbidden` unless the caller may speak for the principal in the tenant. */
export function requireToSpeakFor(
  caller: Caller,
  { tenant_id, principal_id }: { readonly tenant_id: string; readonly principal_id: string },
): void {
  requireTenant(caller, tenant_id);
  if (!maySpeakFor(caller, principal_id)) {
    throw new Problem('forbidden', 'The token does not name this principal', { tenantId: tenant_id });
  }
}

/** The refusal of a write to a session that belongs to none of the token's principals. */
export function notOfThePrincipals(tenantId: string): Problem {
  const detail = "The session is not known to be of one of the token's principals";
  return new Problem('forbidden', detail, { tenantId });
}

/** The tenant of a token that names exactly one. */
export function onlyTenant(tenants: readonly string[]): string | undefined {
  return tenants.length === 1 ? tenants[0] : undefined;
}

/**
 * What is found in a tenant. Throws `record_not_found` if nothing is, and in a tenant that the caller may not touch,
 * where it is not even looked for: both answer alike.
 */
export async function foundRecord<T>(
  caller: Caller,
  tenantId: string,
  find: () => Promise<T | undefined>,
): Promise<T> {
  const found = mayTouchTenant(caller, tenantId) ? await find() : undefined;
  if (found === undefined) throw recordNotFound();
  return found;
}

export function recordNotFound(): Problem {
  return new Problem('record_not_found', problems.record_not_found.meaning);
}
