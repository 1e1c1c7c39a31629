import { Type } from '@sinclair/typebox';
import type { FastifyPluginCallback } from 'fastify';

import { jsonResponse, mergeResponses, problemResponses } from '../openapi/responses.js';
import { Problem } from '../problems.js';
import type { Store } from '../../app/store.js';

/** `GET /healthz` asks the process alone; `GET /readyz` asks the store too. */
export const healthRoutes: FastifyPluginCallback<{ database: Store; schemaVersion: number }> = (
  app,
  { database, schemaVersion },
  done,
) => {
  // A store that is away is no reason to restart the service: it recovers by itself.
  app.get('/healthz', { schema: healthSchema, config: { access: 'public' } }, () => ({ status: 'alive' }));
  app.get('/readyz', { schema: readySchema, config: { access: 'public' } }, async () => {
    const { version, oldestProgram } = await database.schemaVersion();
    if (oldestProgram > schemaVersion || schemaVersion > version) {
      throw new Problem('governed_store_unavailable', 'The schema of the governed store is not current');
    }
    // Without it every seal and every resume would fail, since none of them happens without its event.
    if (!(await database.canWriteTrace())) {
      throw new Problem('governed_store_unavailable', 'The trace has no partition for the current month');
    }
    return { status: 'ready' };
  });
  done();
};

const alive = Type.Object({ status: Type.String() });

const healthSchema = {
  operationId: 'readHealth',
  tags: ['operation'],
  summary: 'Whether the process lives',
  description: 'Asks nothing but the process itself.',
  response: mergeResponses(
    { 200: jsonResponse('It does.', alive, { alive: { summary: 'Alive', value: { status: 'alive' } } }) },
    problemResponses('forbidden'),
  ),
};

const readySchema = {
  operationId: 'readReadiness',
  tags: ['operation'],
  summary: 'Whether the gate can decide',
  description:
    'Asks whether the store answers and its schema is one that this program works on: its own, or a newer one that still bears it, so that a rolling update drains nobody. Asks also whether the trace has a place for the events of this month.',
  response: mergeResponses(
    { 200: jsonResponse('It can.', alive, { ready: { summary: 'Ready', value: { status: 'ready' } } }) },
    problemResponses('forbidden', 'too_many_requests', 'governed_store_unavailable', 'overloaded'),
  ),
};
