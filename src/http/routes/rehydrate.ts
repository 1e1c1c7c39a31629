import { Type } from '@sinclair/typebox';
import type { FastifyPluginCallback, FastifyReply } from 'fastify';

import { mayTouchTenant, type Caller } from '../../app/caller.js';
import { rehydrate, type RehydrationResult } from '../../app/rehydrate.js';
import type { Store } from '../../app/store.js';
import { parseRehydrateRequest, type RehydrateRequest } from '../../domain/requests.js';
import { receiptClaims } from '../../domain/receipt.js';
import { goReason } from '../../domain/reasons.js';
import type { ReceiptSigner } from '../../receipts/sign-receipt.js';
import { requireToSpeakFor } from '../auth/claims.js';
import { goBody, isGo, noteDecision, sendStop, statusMeanings } from '../decision-answers.js';
import { readIdempotencyKey } from '../parameters.js';
import { goExample, rehydrateRequestExample, stopExamples } from '../openapi/examples.js';
import {
  bodyProblems,
  commonProblems,
  documentedBody,
  jsonResponse,
  mergeResponses,
  stopResponses,
} from '../openapi/responses.js';
import { Problem, problems } from '../problems.js';

/** `POST /rehydrate`: the gate after compaction or reset. */
export const rehydrateRoute: FastifyPluginCallback<{ database: Store; receipts: ReceiptSigner }> = (
  app,
  { database, receipts },
  done,
) => {
  app.post('/rehydrate', { schema, config: { access: ['rehydrate'] } }, async (request, reply) => {
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
    const resumption = parseRehydrateRequest(request.body);
    requireToResume(request.caller, resumption);
    const result = await rehydrate(database, resumption, request.caller, idempotencyKey);
    if (result.kind === 'decided') noteDecision(app, 'rehydration', result.stored);
    return answer(reply, result, receipts);
  });
  done();
};

/** A tenant outside the token answers like one that has no such envelope, whether it has one or not. */
function requireToResume(caller: Caller, resumption: RehydrateRequest): void {
  if (!mayTouchTenant(caller, resumption.tenant_id)) {
    throw new Problem('envelope_not_found', problems.envelope_not_found.meaning);
  }
  requireToSpeakFor(caller, resumption);
}

function answer(reply: FastifyReply, result: RehydrationResult, receipts: ReceiptSigner): FastifyReply {
  if (result.kind === 'idempotency_key_reused') {
    throw new Problem('idempotency_key_reused', problems.idempotency_key_reused.meaning);
  }
  const { stored, context } = result;
  if (!isGo(stored) || !context) return sendStop(reply, stored);
  // From the facts that hold now, so that the receipt of a repeated go is a fresh one.
  const claims = receiptClaims(
    { decision_id: stored.decision_id, session_epoch: stored.granted.session_epoch },
    context.facts,
    receipts.lifeSeconds,
  );
  return reply.send(goBody(stored, context, receipts.sign(claims)));
}

const schema = {
  operationId: 'rehydrate',
  tags: ['boundary'],
  summary: 'Ask whether a run may resume after the boundary',
  description:
    'The envelope is loaded from governed storage and compared with the current control state by every rule. Never an authorization: the best answer is that the next call may now be authorized. Every body, errors included, says `authorized: false`.',
  headers: Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({
        description:
          'A repeated request with the same key gets its stop again as it was, and its go only while that still holds. Kept for 24 hours.',
        examples: ['resume-7f3a'],
      }),
    ),
  }),
  body: documentedBody('RehydrateRequestBody', {
    attested: { summary: 'With a state read elsewhere', value: rehydrateRequestExample },
  }),
  response: mergeResponses(
    {
      200: jsonResponse(statusMeanings.reauthorization_required, Type.Ref('GoDecision#'), {
        continuity_validated: { summary: goReason.meaning, value: goExample },
      }),
      409: jsonResponse(
        statusMeanings.blocked_on_reconciliation,
        Type.Ref('StopDecision#'),
        stopExamples('rehydration', 'blocked_on_reconciliation'),
      ),
      422: jsonResponse(
        statusMeanings.continuity_validation_failed,
        Type.Ref('StopDecision#'),
        stopExamples('rehydration', 'continuity_validation_failed'),
      ),
    },
    stopResponses(
      ...bodyProblems,
      'unauthenticated',
      'forbidden',
      'attested_state_refused',
      'envelope_not_found',
      'idempotency_key_reused',
      ...commonProblems,
    ),
  ),
};
