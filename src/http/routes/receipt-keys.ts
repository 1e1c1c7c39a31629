import { Type } from '@sinclair/typebox';
import type { FastifyPluginCallback } from 'fastify';

import type { ReceiptSigner } from '../../receipts/sign-receipt.js';
import { jsonResponse, mergeResponses, problemResponses } from '../openapi/responses.js';

/** Seconds for which a gateway may keep the keys; a new key is published at least as long before it signs. */
const maxAge = 300;

/** `GET /.well-known/jwks.json`: the public keys of receipts. */
export const receiptKeysRoute: FastifyPluginCallback<{ receipts: ReceiptSigner }> = (
  app,
  { receipts },
  done,
) => {
  app.get('/.well-known/jwks.json', { schema, config: { access: 'public' } }, (_request, reply) =>
    reply
      .header('cache-control', `public, max-age=${String(maxAge)}`)
      .type('application/jwk-set+json')
      .send(receipts.keys.jwks),
  );
  done();
};

const schema = {
  operationId: 'readReceiptKeys',
  tags: ['evidence'],
  summary: 'Read the public keys of receipts',
  description: 'A JWK Set. Every key of it may have signed a receipt that still holds.',
  response: mergeResponses(
    {
      200: {
        ...jsonResponse('The keys.', Type.Any(), {}),
        content: {
          'application/jwk-set+json': {
            schema: Type.Ref('ReceiptKeySet#'),
            examples: {
              keys: {
                summary: 'One key',
                value: {
                  keys: [
                    {
                      kty: 'OKP',
                      crv: 'Ed25519',
                      kid: '0d5f3f1b-2c01-4a41-9a41-7c1e019853a4',
                      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
                      alg: 'EdDSA',
                      use: 'sig',
                    },
                  ],
                },
              },
            },
          },
        },
        headers: {
          'cache-control': Type.String({ description: 'For how long the keys may be kept.' }),
        },
      },
    },
    problemResponses('forbidden', 'internal_error'),
  ),
};
