import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';

import { mayTouchTenant } from '../../app/caller.js';
import { readReconciliations } from '../../app/read.js';
import { reconcile } from '../../app/reconcile.js';
import type { Store } from '../../app/store.js';
import { recordKinds } from '../../domain/record-kinds.js';
import { parseSettlement } from '../../domain/settlement.js';
import { requireTenant, recordNotFound } from '../auth/claims.js';
import { exampleEnvelope } from '../openapi/examples.js';
import { recordExamples } from '../openapi/record-examples.js';
import { limitQuery } from '../paging.js';
import {
  bodyProblems,
  commonProblems,
  documentedBody,
  jsonResponse,
  mergeResponses,
  problemResponses,
} from '../openapi/responses.js';
import { readPathId, idParameter, tenantParams } from '../parameters.js';
import { Problem, problems } from '../problems.js';
import { reconciliationHref } from '../decision-answers.js';
import { entityTag, recordView } from '../records/record-routes.js';

/** The queue of unknown effects, and the one way out of it. */
export const reconciliationRoutes: FastifyPluginCallbackTypebox<{ database: Store }> = (
  app,
  { database },
  done,
) => {
  app.post(
    '/tenants/:tenant_id/side-effects/:idempotency_key/reconciliation',
    { schema: settleSchema, config: { access: ['reconcile'] } },
    async ({ caller, params, body }, reply) => {
      const tenant_id = readPathId('tenant_id', params.tenant_id);
      const idempotency_key = readPathId('idempotency_key', params.idempotency_key);
      requireTenant(caller, tenant_id);
      const settlement = { tenant_id, idempotency_key, ...parseSettlement(body) };
      const result = await reconcile(database, settlement, caller);
      if (result.kind === 'not_found') throw recordNotFound();
      const address = { name: 'side_effect' as const, tenant_id, keys: { idempotency_key } };
      const record = recordView(address, result.record, { sensitive: false });
      if (result.kind === 'not_unknown') {
        throw new Problem('effect_not_unknown', problems.effect_not_unknown.meaning, {
          extension: caller.mayReadRecords ? { current: record } : {},
        });
      }
      return reply.header('etag', entityTag(result.record)).send(record);
    },
  );

  app.get(
    '/tenants/:tenant_id/reconciliations',
    { schema: queueSchema, config: { access: ['records:read', 'reconcile'] } },
    async ({ caller, params, query }) => {
      const tenant_id = readPathId('tenant_id', params.tenant_id);
      const effects = mayTouchTenant(caller, tenant_id)
        ? await readReconciliations(database, caller, tenant_id, { limit: query.limit ?? 100 })
        : [];
      return {
        reconciliations: effects.map(({ updated_at, ...effect }) => ({
          ...effect,
          unknown_since: updated_at,
          href: reconciliationHref(tenant_id, effect.idempotency_key),
        })),
      };
    },
  );
  done();
};

const settled = {
  ...recordExamples(recordKinds.side_effect).written,
  side_effect_status: 'side_effect_committed',
  revision: 3,
};

const settleSchema = {
  operationId: 'reconcileSideEffect',
  tags: ['records'],
  summary: 'Settle a side effect whose outcome was unknown',
  description:
    'The only way out of unknown, on evidence. The same settlement again is answered like the first one. The session can be resumed then, and its run is told the settled status.',
  params: Type.Object({
    ...tenantParams.properties,
    idempotency_key: idParameter('Key of the effect.', exampleEnvelope.idempotency_key),
  }),
  body: documentedBody('SettlementBody', {
    committed: {
      summary: 'It had happened',
      value: {
        outcome: 'side_effect_committed',
        evidence_refs: ['provider:receipt-8812'],
        reconciled_by: 'reconciler-1',
      },
    },
  }),
  response: mergeResponses(
    {
      200: jsonResponse('The effect is settled.', Type.Ref('SideEffectRecord#'), {
        settled: { summary: 'It had happened', value: settled },
      }),
    },
    problemResponses(
      ...bodyProblems,
      'unauthenticated',
      'forbidden',
      'record_not_found',
      'effect_not_unknown',
      ...commonProblems,
    ),
  ),
};

const queueSchema = {
  operationId: 'readReconciliations',
  tags: ['records'],
  summary: 'Read which side effects have to be settled',
  description: 'Every effect of the tenant whose outcome is unknown, oldest first.',
  params: tenantParams,
  querystring: Type.Object(
    {
      limit: limitQuery,
    },
    { additionalProperties: false },
  ),
  response: mergeResponses(
    {
      200: jsonResponse('The queue.', Type.Ref('ReconciliationQueue#'), {
        queue: {
          summary: 'One effect to settle',
          value: {
            reconciliations: [
              {
                idempotency_key: exampleEnvelope.idempotency_key,
                session_id: exampleEnvelope.session_id,
                capability_name: exampleEnvelope.capability_name,
                approval_id: exampleEnvelope.approval_id,
                unknown_since: '2026-07-21T16:59:00.000000Z',
                age_seconds: 360,
                href: reconciliationHref(exampleEnvelope.tenant_id, exampleEnvelope.idempotency_key),
              },
            ],
          },
        },
      }),
    },
    problemResponses('schema_invalid', 'unauthenticated', 'forbidden', ...commonProblems),
  ),
};
