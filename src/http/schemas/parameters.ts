import { FormatRegistry, Type } from '@sinclair/typebox';

import { identifierMaxLength } from '../../domain/schemas.js';
import { formatTimestamp, parseTimestamp } from '../../domain/time.js';

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

/** How many entries of a list are wanted at most. */
export const limitQuery = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'Entries at most; 100 if absent.',
    examples: [100],
  }),
);

/** A page of a log that is numbered without gaps. */
export const sequencePage = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only what stands behind this sequence.',
        examples: [0],
      }),
    ),
    limit: limitQuery,
  },
  { additionalProperties: false },
);
