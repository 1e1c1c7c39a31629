import { Type, type TSchema } from '@sinclair/typebox';

import { problemBody, stopProblemBody, Problem, problems, type ProblemCode } from '../problems.js';

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** A JSON answer with its examples, by name. */
export function jsonResponse(
  description: string,
  schema: TSchema,
  examples: Readonly<Record<string, Example>>,
  headers?: Readonly<Record<string, TSchema>>,
): Response {
  return {
    description,
    ...(headers && { headers }),
    content: { 'application/json': { schema, examples } },
  };
}

/** A JSON request body, by the id of its schema, with its examples by name. */
export function documentedBody(schemaId: string, examples: Readonly<Record<string, Example>>): TSchema {
  // Beside a bare reference the document's generator would drop the examples.
  return Type.Unsafe({ allOf: [Type.Ref(`${schemaId}#`)], 'x-examples': examples });
}

/** The error answers of a route: one a status, with an example for each code. */
export function problemResponses(...codes: ProblemCode[]): Responses {
  return responsesByStatus(codes, 'application/problem+json', 'ProblemDetails#', problemBody);
}

/** The same for `/rehydrate`, where every error is a stop. */
export function stopResponses(...codes: ProblemCode[]): Responses {
  return responsesByStatus(codes, 'application/json', 'StopProblem#', stopProblemBody);
}

/** The errors that every route can answer with. */
export const commonProblems = [
  'too_many_requests',
  'internal_error',
  'overloaded',
  'governed_store_unavailable',
  'identity_provider_unavailable',
] as const;

/** The errors of every route with a body. */
export const bodyProblems = ['schema_invalid', 'body_too_large', 'unsupported_media_type'] as const;

interface MediaType {
  readonly schema: TSchema;
  readonly examples: Readonly<Record<string, Example>>;
}

interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, TSchema>>;
  readonly content: Readonly<Record<string, MediaType>>;
}

/** Answers by HTTP status. */
export type Responses = Readonly<Record<string, Response>>;

/** Puts the answers of a route together. A status that is answered in several ways says so. */
export function mergeResponses(...parts: Responses[]): Responses {
  const merged: Record<string, Response> = {};
  for (const [status, response] of parts.flatMap((part) => Object.entries(part))) {
    const before = merged[status];
    merged[status] = before ? mergeResponse(before, response) : response;
  }
  return merged;
}

function mergeResponse(one: Response, other: Response): Response {
  const content: Record<string, MediaType> = { ...one.content };
  for (const [type, media] of Object.entries(other.content)) {
    const before = content[type];
    content[type] = before
      ? {
          schema: Type.Unsafe({ anyOf: [before.schema, media.schema] }),
          examples: { ...before.examples, ...media.examples },
        }
      : media;
  }
  return { ...one, description: `${one.description} ${other.description}`, content };
}

function responsesByStatus(
  codes: readonly ProblemCode[],
  mediaType: string,
  schemaId: string,
  bodyOf: (problem: Problem, requestId: string) => unknown,
): Responses {
  const statuses = new Set(codes.map((code) => problems[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const here = codes.filter((code) => problems[code].status === status);
      return [
        status,
        {
          description: here.map((code) => `\`${code}\`: ${problems[code].meaning}`).join(' '),
          ...(here.includes('unauthenticated') && { headers: { 'www-authenticate': challenge } }),
          content: {
            [mediaType]: {
              schema: Type.Ref(schemaId),
              examples: Object.fromEntries(
                here.map((code) => [
                  code,
                  { summary: problems[code].title, value: bodyOf(exampleOf(code), exampleRequestId) },
                ]),
              ),
            },
          },
        },
      ];
    }),
  );
}

const challenge = Type.String({ description: 'How to authenticate, and what is wrong with a token: RFC 6750.' });

const exampleRequestId = '019853a8-91c0-7b6e-8f2d-3c4b5a697881';

function exampleOf(code: ProblemCode): Problem {
  if (code === 'schema_invalid') {
    const message = 'Continuity field is required: tenant_id';
    return new Problem(code, message, { faults: [{ pointer: '/tenant_id', message }] });
  }
  const held = { held_by: 'runtime-eu-8', held_since: '2026-07-21T17:04:00.000000Z' };
  return new Problem(code, problems[code].meaning, code === 'stale_epoch' ? { extension: held } : {});
}
