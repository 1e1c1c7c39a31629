import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from '@sinclair/typebox';

/**
 * Parameters are validated by their schemas. Bodies are not: the parsers of the core read them, with the operator errors
 * to the letter, and the schemas document the same shapes.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = (route) =>
  route.httpPart === 'body' ? (body: unknown) => ({ value: body }) : TypeBoxValidatorCompiler(route);
