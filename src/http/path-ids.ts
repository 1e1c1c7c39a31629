import { identifierMaxLength } from '../domain/schemas.js';
import { isDots, isLongerThan, trimWhiteSpace } from '../domain/text.js';
import { Problem } from './problems.js';

/** Reads an id of a path as the same id in a body is read: trimmed, not empty, and not too long. */
export function readPathId(name: string, text: string): string {
  const id = trimWhiteSpace(text);
  if (id === '') throw fault(name, `Continuity field is required: ${name}`);
  if (isLongerThan(id, identifierMaxLength)) throw fault(name, `Continuity field is too long: ${name}`);
  if (isDots(id)) throw fault(name, `Continuity field must not be . or ..: ${name}`);
  return id;
}

/** Reads the ids of a session's path. */
export function readSessionPath({ tenant_id, session_id }: { tenant_id: string; session_id: string }) {
  return {
    tenant_id: readPathId('tenant_id', tenant_id),
    session_id: readPathId('session_id', session_id),
  };
}

function fault(name: string, message: string): Problem {
  return new Problem('schema_invalid', message, { faults: [{ pointer: `/params/${name}`, message }] });
}
