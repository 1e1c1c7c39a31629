import { isUtf8 } from 'node:buffer';

import { parse as parseContentType } from 'content-type';
import fastifyPlugin from 'fastify-plugin';
import { parse } from 'lossless-json';

import { Problem } from '../problems.js';

/**
 * Reads request bodies: JSON in UTF-8, not compressed, and nothing that JSON text can say is lost on the way. A member
 * that is given twice with different values is refused, because what checked the request before may have read the
 * other one.
 */
export const jsonBody = fastifyPlugin(
  (app, _options, done) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, parsed) => {
      try {
        refuseOtherCharsets(request.headers['content-type'] ?? '');
        parsed(null, parseJson(decodeUtf8(body as Buffer)));
      } catch (error) {
        parsed(error as Error);
      }
    });
    app.addHook('onRequest', (request, _reply, next) => {
      const encoding = request.headers['content-encoding'];
      if (bodiless.includes(request.method) || encoding === undefined || encoding === 'identity') next();
      else next(new Problem('unsupported_media_type', 'A request body may not have a content encoding'));
    });
    done();
  },
  { name: 'json-body' },
);

/** The methods whose body is never read. */
const bodiless = ['GET', 'HEAD'];

function refuseOtherCharsets(contentType: string): void {
  const charset = parseContentType(contentType).parameters['charset'] ?? 'utf-8';
  if (charset.toLowerCase() !== 'utf-8') {
    throw new Problem('unsupported_media_type', 'A request body must be in UTF-8');
  }
}

function decodeUtf8(body: Buffer): string {
  if (!isUtf8(body)) throw malformed('The request body is not UTF-8');
  return body.toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return parse(text, null, {
      parseNumber: Number,
      onDuplicateKey: () => {
        throw malformed('The request body gives a member twice');
      },
    });
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (error instanceof RangeError) throw malformed('The request body is nested too deeply', error);
    throw malformed('The request body is not JSON', error);
  }
}

function malformed(detail: string, cause?: unknown): Problem {
  return new Problem('schema_invalid', detail, { faults: [{ pointer: '', message: detail }], cause });
}
