import type { FastifyReply } from 'fastify';

import type { StoredDecision } from '../app/stored.js';
import type { DecisionStatus } from '../domain/vocabulary.js';
import { stopBody } from './decision-body.js';
import { Problem } from './problems.js';
import { problemMeanings } from './schemas/meanings.js';

/** The HTTP status of each decision: a caller that looks at nothing but "2xx" stops when it should. */
export const decisionHttpStatus: Readonly<Record<DecisionStatus, number>> = {
  reauthorization_required: 200,
  blocked_on_reconciliation: 409,
  continuity_validation_failed: 422,
};

/** Answers with a stop. One that was made before any rule could be asked has a status and an error of its own. */
export function sendStop(reply: FastifyReply, stored: StoredDecision): FastifyReply {
  const { facts, decision } = stored;
  if (facts.kind === 'refused') throw new Problem(facts.refusal, problemMeanings[facts.refusal]);
  return reply.code(decisionHttpStatus[decision.status]).send(stopBody(stored));
}
