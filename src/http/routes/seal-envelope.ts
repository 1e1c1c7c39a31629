import { Type } from '@sinclair/typebox';
import type { FastifyPluginCallback, FastifyReply } from 'fastify';

import { sealEnvelope, type SealingResult } from '../../app/seal-envelope.js';
import type { Store } from '../../app/store.js';
import { parseSealRequest } from '../../domain/requests.js';
import type { TenantKey } from '../../domain/session-key.js';
import { notOfThePrincipals, requireTenant } from '../auth/claims.js';
import { envelopeBody } from '../envelope-answer.js';
import { noteDecision, sendStop } from '../decision-answers.js';
import { sealedExample, sealRequestExample, stopExamples } from '../openapi/examples.js';
import {
  bodyProblems,
  commonProblems,
  documentedBody,
  jsonResponse,
  mergeResponses,
  problemResponses,
} from '../openapi/responses.js';
import { Problem, staleEpoch, problems } from '../problems.js';

/** `POST /envelopes`: the boundary before compaction or reset. */
export const sealEnvelopeRoute: FastifyPluginCallback<{ database: Store }> = (app, { database }, done) => {
  app.post('/envelopes', { schema, config: { access: ['envelopes:write'] } }, async (request, reply) => {
    const boundary = parseSealRequest(request.body);
    requireTenant(request.caller, boundary.continuity_envelope.tenant_id);
    const result = await sealEnvelope(database, boundary, request.caller);
    if (result.kind === 'refused') noteDecision(app, 'compaction', result.refusal);
    return answer(reply, result, boundary.continuity_envelope);
  });
  done();
};

function answer(
  reply: FastifyReply,
  result: SealingResult,
  { tenant_id: tenantId }: TenantKey,
): FastifyReply {
  switch (result.kind) {
    case 'sealed':
    case 'already_sealed': {
      const { envelope_id, tenant_id } = result.stored;
      return reply
        .code(result.kind === 'sealed' ? 201 : 200)
        .header(
          'location',
          `/envelopes/${encodeURIComponent(envelope_id)}?tenant_id=${encodeURIComponent(tenant_id)}`,
        )
        .send(envelopeBody(result.stored));
    }
    case 'forbidden':
      throw notOfThePrincipals(tenantId);
    case 'conflict':
      throw new Problem('envelope_conflict', problems.envelope_conflict.meaning);
    case 'stale_epoch':
      throw staleEpoch(result);
    case 'refused':
      return sendStop(reply, result.refusal);
  }
}

const location = Type.String({ description: 'Where the envelope can be read.' });

const schema = {
  operationId: 'sealEnvelope',
  tags: ['boundary'],
  summary: 'Seal a continuity envelope before compaction, reset, recovery or handoff',
  description:
    'Call it at a safe boundary, with the event log flushed. The accepted envelope is immutable; sent again unchanged, it gets its first answer again. An envelope that contradicts what is known is refused by a decision, and nothing of it is stored but that.',
  body: documentedBody('SealRequestBody', {
    before_compaction: { summary: 'Before a compaction', value: sealRequestExample },
  }),
  response: mergeResponses(
    {
      200: jsonResponse(
        'The envelope had been sealed before: the first answer again, and no second event.',
        Type.Ref('SealedEnvelope#'),
        { sealed_before: { summary: 'The first answer again', value: sealedExample } },
        { location },
      ),
      201: jsonResponse(
        'The envelope is sealed, and its event is in the trace.',
        Type.Ref('SealedEnvelope#'),
        { sealed: { summary: 'Sealed before a compaction', value: sealedExample } },
        { location },
      ),
      409: jsonResponse(
        '`unknown_side_effect`: the envelope hides that the outcome of its own effect is not known.',
        Type.Ref('StopDecision#'),
        stopExamples('sealing', 'blocked_on_reconciliation'),
      ),
      422: jsonResponse(
        'The envelope contradicts what is known.',
        Type.Ref('StopDecision#'),
        stopExamples('sealing', 'continuity_validation_failed'),
      ),
    },
    problemResponses(
      ...bodyProblems,
      'unauthenticated',
      'forbidden',
      'attested_state_refused',
      'envelope_conflict',
      'stale_epoch',
      ...commonProblems,
    ),
  ),
};
