import { Type } from '@sinclair/typebox';
import type { FastifyPluginCallback, FastifyReply } from 'fastify';

import type { Caller } from '../../app/caller.js';
import { readRecord } from '../../app/read.js';
import type { Store } from '../../app/store.js';
import type { StoredRecord } from '../../app/stored.js';
import { writeRecord, type RecordResult } from '../../app/write-record.js';
import { recordParser } from '../../domain/parse-record.js';
import { notOfThePrincipals, requireTenant, foundRecord } from '../auth/claims.js';
import { recordExamples } from '../openapi/record-examples.js';
import {
  bodyProblems,
  commonProblems,
  documentedBody,
  jsonResponse,
  mergeResponses,
  problemResponses,
} from '../openapi/responses.js';
import { readPathId, idParameter, readIfMatch } from '../parameters.js';
import { Problem, staleEpoch, problems } from '../problems.js';
import {
  recordRoutes,
  type RecordRoute,
  entityTag,
  recordView,
  type RecordAddress,
} from './record-routes.js';

/** `PUT` and `GET` of every kind of record: one way of making both. */
export const recordPlugin: FastifyPluginCallback<{ database: Store }> = (app, { database }, done) => {
  for (const route of recordRoutes) {
    const url = `/tenants/:tenant_id/${route.path}`;
    const parseRecord = recordParser(route);

    app.put<{ Params: PathIds }>(
      url,
      { schema: putSchema(route), config: { access: [route.scope.name] } },
      async (request, reply) => {
        const address = addressOf(route, request.params);
        requireTenant(request.caller, address.tenant_id);
        const parsed = parseRecord(request.body);
        const ifMatch = readIfMatch(request.headers['if-match']);
        const result = await writeRecord(database, { ...address, ...parsed, ifMatch }, request.caller);
        return answer(reply, address, result, request.caller);
      },
    );

    app.get<{ Params: PathIds }>(
      url,
      { schema: getSchema(route), config: { access: ['records:read'] } },
      async (request, reply) => {
        const address = addressOf(route, request.params);
        const record = await foundRecord(request.caller, address.tenant_id, () =>
          readRecord(database, request.caller, address),
        );
        return reply.header('etag', entityTag(record)).send(recordView(address, record, { sensitive: true }));
      },
    );
  }
  done();
};

type PathIds = Record<string, string> & { tenant_id: string };

function addressOf({ name }: RecordRoute, { tenant_id, ...keys }: PathIds): RecordAddress {
  return {
    name,
    tenant_id: readPathId('tenant_id', tenant_id),
    keys: Object.fromEntries(Object.entries(keys).map(([key, id]) => [key, readPathId(key, id)])),
  };
}

/** A caller that may only write is not told the record: a failing `If-Match` would otherwise read it for that caller. */
function answer(
  reply: FastifyReply,
  address: RecordAddress,
  result: RecordResult,
  caller: Caller,
): FastifyReply {
  const current = (record: StoredRecord | undefined) =>
    record && caller.mayReadRecords ? { current: recordView(address, record, { sensitive: false }) } : {};
  switch (result.kind) {
    case 'created':
    case 'changed':
    case 'unchanged':
      return reply
        .code(result.kind === 'created' ? 201 : 200)
        .header('etag', entityTag(result.record))
        .send(recordView(address, result.record, { sensitive: false }));
    case 'forbidden':
      throw notOfThePrincipals(address.tenant_id);
    case 'refused':
      throw new Problem(result.code, problems[result.code].meaning, {
        faults: [{ pointer: `/${result.field}`, message: problems[result.code].meaning }],
        extension: current(result.current),
      });
    case 'precondition_failed':
      throw new Problem('precondition_failed', problems.precondition_failed.meaning, {
        extension: current(result.current),
      });
    case 'stale_epoch':
      throw staleEpoch(result);
  }
}

function putSchema(route: RecordRoute) {
  const { name, view, body, meaning, sessionEpoch } = route;
  const examples = recordExamples(route);
  return {
    operationId: `write${String(view.$id)}`,
    tags: ['records'],
    summary: `Write ${aRecord(name)}`,
    description: `${meaning} Written whole; the same again changes nothing and leaves no event.`,
    params: paramsOf(route),
    headers: Type.Object({
      'if-match': Type.Optional(
        Type.String({
          description: 'Write only if the record is at this revision; `*`: only if it is there.',
          examples: ['"1"'],
        }),
      ),
    }),
    body: documentedBody(String(body.$id), { record: { summary: meaning, value: examples.body } }),
    response: mergeResponses(
      {
        200: jsonResponse(
          'Changed, or equal to what was there.',
          Type.Ref(`${String(view.$id)}#`),
          { record: { summary: 'The record', value: examples.written } },
          { etag },
        ),
        201: jsonResponse(
          'Written for the first time.',
          Type.Ref(`${String(view.$id)}#`),
          { record: { summary: 'The record', value: examples.written } },
          { etag },
        ),
      },
      problemResponses(
        ...bodyProblems,
        'unauthenticated',
        'forbidden',
        ...refusalsOf(route),
        ...(sessionEpoch ? (['stale_epoch'] as const) : []),
        'precondition_failed',
        ...commonProblems,
      ),
    ),
  };
}

function getSchema(route: RecordRoute) {
  const { name, view, meaning } = route;
  return {
    operationId: `read${String(view.$id)}`,
    tags: ['records'],
    summary: `Read ${aRecord(name)}`,
    description: meaning,
    params: paramsOf(route),
    response: mergeResponses(
      {
        200: jsonResponse(
          'The record.',
          Type.Ref(`${String(view.$id)}#`),
          { record: { summary: 'The record', value: recordExamples(route).read } },
          { etag },
        ),
      },
      problemResponses(
        'schema_invalid',
        'unauthenticated',
        'forbidden',
        'record_not_found',
        ...commonProblems,
      ),
    ),
  };
}

function aRecord(name: string): string {
  const article = /^[aeiou]/.test(name) ? 'an' : 'a';
  return `${article} ${name.replaceAll('_', ' ')} record`;
}

const etag = Type.String({ description: 'The revision, for `If-Match`.' });

/** The rules that a write of the kind can break. */
function refusalsOf({ frozen, descendsFrom = [], status, onlyEarlier, links = [] }: RecordRoute) {
  return [
    ...(frozen.length + descendsFrom.length > 0 ? (['record_field_frozen'] as const) : []),
    ...(descendsFrom.length > 0 ? (['session_cycle'] as const) : []),
    ...(status ? (['status_transition_refused'] as const) : []),
    ...(onlyEarlier === undefined ? [] : (['expiry_extended'] as const)),
    ...links.map(({ refusal }) => refusal),
  ];
}

function paramsOf({ keys, example }: RecordRoute) {
  return Type.Object({
    tenant_id: idParameter('Tenant of the record.', 'tenant-acme'),
    ...Object.fromEntries(
      keys.map((key) => [key, idParameter(`The record's ${key}.`, example.keys[key] ?? key)]),
    ),
  });
}
