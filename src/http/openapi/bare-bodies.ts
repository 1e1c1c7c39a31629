import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>;

/** Makes the schemas of request bodies plain references again, which `jsonBody` had to wrap. */
export const bareBodies: Transform = (document) => {
  if ('swaggerObject' in document) return document.swaggerObject;
  const paths = Object.values(document.openapiObject.paths ?? {});
  for (const operation of paths.flatMap((path) => [path?.post, path?.put, path?.patch])) {
    const body = operation?.requestBody;
    if (body === undefined || '$ref' in body) continue;
    for (const media of Object.values(body.content)) {
      const { schema } = media;
      if (schema === undefined || '$ref' in schema) continue;
      const [only, ...others] = schema.allOf ?? [];
      if (only !== undefined && others.length === 0) media.schema = only;
    }
  }
  return document.openapiObject;
};
