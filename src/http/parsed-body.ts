import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import type { FastifySchemaCompiler } from 'fastify';
import { KindGuard, type TObject, type TSchema } from '@sinclair/typebox';

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
