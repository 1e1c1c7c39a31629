import { trace } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';

import type { StoredDecision } from '../app/stored.js';
import type { Phase } from '../domain/vocabulary.js';

/** Makes a decision visible to operators: in its metrics, and on the span of the request. */
export function noteDecision(
  app: FastifyInstance,
  phase: Phase,
  { decision, session_id }: StoredDecision,
): void {
  const { status, reason } = decision;
  app.metrics.decided(phase, decision);
  trace.getActiveSpan()?.setAttributes({
    'continuity.decision.phase': phase,
    'continuity.decision.status': status,
    'continuity.decision.reason': reason,
    'gen_ai.conversation.id': session_id,
  });
}
