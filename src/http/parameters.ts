import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import { FormatRegistry, KindGuard, Type, type TObject, type TSchema } from '@sinclair/typebox';
import type { FastifySchemaCompiler } from 'fastify';

import { identifierMaxLength } from '../domain/schemas.js';
import { hasControlCharacter, isDots, isLongerThan, trimWhiteSpace } from '../domain/text.js';
import { formatTimestamp, parseTimestamp } from '../domain/time.js';
import { Problem } from './problems.js';

FormatRegistry.Set('date-time', (text) => typeof parseTimestamp(text) === 'bigint');
FormatRegistry.Set('uuid', (text) => uuidPattern.test(text));

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An id in a path or a query: without control characters, which Postgres could not even compare. */
export function idParameter(description: string, example: string) {
  return Type.String({
    description,
    minLength: 1,
    maxLength: 2 * identifierMaxLength,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$',
    examples: [example],
  });
}

/** The tenant that a `GET` outside `/tenants/…` looks in. */
export const tenantQuery = idParameter('Tenant to look in.', 'tenant-acme');

/** A moment in a query. */
export function timeParameter(description: string) {
  return Type.String({ description, format: 'date-time', examples: ['2026-07-21T17:00:00Z'] });
}

/** The same moment in UTC. Postgres knows no offset of 16 hours or more, and no year 0 that an offset leads out of. */
export function momentInUtc(text: string | undefined): string | undefined {
  const instant = text === undefined ? undefined : parseTimestamp(text);
  return typeof instant === 'bigint' ? formatTimestamp(instant) : undefined;
}

/** The path of a tenant. */
export const tenantParams = Type.Object({ tenant_id: idParameter('The tenant.', 'tenant-acme') });

/** The path of a session. */
export const sessionParams = Type.Object({
  ...tenantParams.properties,
  session_id: idParameter('The session.', 'session-support-001'),
});

/**
 * Parameters are validated by their schemas. Bodies are not: the parsers of the core read them, with the operator errors
 * to the letter, and the schemas document the same shapes.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = (route) => {
  if (route.httpPart === 'body') return (body: unknown) => ({ value: body });
  const validate = TypeBoxValidatorCompiler(route);
  const integers = KindGuard.IsObject(route.schema) ? integersOf(route.schema) : [];
  return (parameters: Readonly<Record<string, unknown>>) => {
    const odd = integers.find((name) => isOddInteger(parameters[name]));
    return odd === undefined ? validate(parameters) : { error: [notAnInteger(odd)] };
  };
};

function integersOf({ properties }: TObject): string[] {
  return Object.keys(properties).filter((name) => KindGuard.IsInteger(properties[name]));
}

/** TypeBox makes an integer of much more than digits: of `1e2`, `0x10`, `10.5` and `true`. */
function isOddInteger(value: unknown): boolean {
  return typeof value === 'string' && !/^-?\d+$/.test(value);
}

function notAnInteger(name: string) {
  return {
    instancePath: `/${name}`,
    schemaPath: `#/properties/${name}/type`,
    keyword: 'type',
    params: {},
    message: 'Expected integer',
  };
}

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

/** Reads the `Idempotency-Key` header: opaque, one line, at most as long as any other id. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = trimWhiteSpace(String(header));
  if (
    key === '' ||
    hasControlCharacter(key, { multiline: false }) ||
    isLongerThan(key, identifierMaxLength)
  ) {
    const message = 'An idempotency key has 1 to 512 characters and no control character';
    throw new Problem('schema_invalid', message, {
      faults: [{ pointer: '/headers/idempotency-key', message }],
    });
  }
  return key;
}

/** Reads `If-Match`: one entity tag as this service gives them, or `*`. */
export function readIfMatch(header: string | undefined): number | 'any' | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return 'any';
  const revision = /^\s*"([1-9]\d{0,14})"\s*$/.exec(header)?.[1];
  if (revision !== undefined) return Number(revision);
  const message = 'If-Match takes one entity tag of this service, or *';
  throw new Problem('schema_invalid', message, { faults: [{ pointer: '/headers/if-match', message }] });
}
