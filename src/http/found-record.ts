import { mayTouchTenant, type Caller } from '../app/caller.js';
import { Problem } from './problems.js';
import { problemMeanings } from './schemas/meanings.js';

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
  return new Problem('record_not_found', problemMeanings.record_not_found);
}
