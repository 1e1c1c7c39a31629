import { parseArgs } from 'node:util';

import fastify, { type FastifyInstance } from 'fastify';
import { createRemoteJWKSet } from 'jose';

import { ReceiptRefusedError, verifyReceipt } from '../client/verify-receipt.js';

/**
 * A tool gateway that carries nothing out for a run whose continuity was not checked.
 *
 *     node dist/examples/tool-gateway.js --gate http://127.0.0.1:8080 --port 8090
 *
 * A call says which session it is for and brings the receipt of its last rehydration. The gateway asks the gate who holds
 * the session now, verifies the receipt against that, and would then ask its policy decision point: a receipt allows
 * nothing by itself.
 */
export function toolGateway(gate: URL, issuer = 'continuity-gate', token?: string): FastifyInstance {
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', gate));
  const app = fastify();
  app.post<{ Body: { tenant_id: string; session_id: string } }>(
    '/tools/create_ticket',
    { schema: { body: callSchema } },
    async (request, reply) => {
      const { tenant_id, session_id } = request.body;
      const receipt = String(request.headers['continuity-receipt'] ?? '');
      try {
        const session_epoch = await currentEpoch(gate, { tenant_id, session_id }, token);
        const { jti } = await verifyReceipt(receipt, { keys, issuer, tenant_id, session_id, session_epoch });
        return await reply.send({ would_ask: 'the policy decision point', decision_id: jti });
      } catch (error) {
        if (!(error instanceof ReceiptRefusedError)) throw error;
        return reply.code(403).send({ refused: error.reason });
      }
    },
  );
  return app;
}

const callSchema = {
  type: 'object',
  required: ['tenant_id', 'session_id'],
  properties: { tenant_id: { type: 'string' }, session_id: { type: 'string' } },
};

/** Who holds the session now. A gate that does not answer is no permission: the call fails. */
async function currentEpoch(
  gate: URL,
  { tenant_id, session_id }: { tenant_id: string; session_id: string },
  token?: string,
): Promise<number> {
  const path = `/tenants/${encodeURIComponent(tenant_id)}/sessions/${encodeURIComponent(session_id)}/epoch`;
  const answer = await fetch(new URL(path, gate), {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(2_000),
  });
  if (!answer.ok) throw new Error(`The gate answered ${answer.status}`);
  const { session_epoch } = (await answer.json()) as { session_epoch: number };
  return session_epoch;
}

if (import.meta.url === `file://${process.argv[1] ?? ''}`) {
  const { values } = parseArgs({
    options: {
      gate: { type: 'string', default: 'http://127.0.0.1:8080' },
      port: { type: 'string', default: '8090' },
      issuer: { type: 'string', default: 'continuity-gate' },
      token: { type: 'string' },
    },
  });
  const address = await toolGateway(new URL(values.gate), values.issuer, values.token).listen({
    port: Number(values.port),
  });
  console.log(`Tool gateway listening on ${address}`);
}
