import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';

import { AttestedControlState } from '../../domain/control-state.js';
import { ContinuityEnvelope, InspectedEnvelope } from '../../domain/envelope/v1.js';
import { InspectRequestBody, RehydrateRequestBody, SealRequestBody } from '../../domain/requests.js';
import { AppendEventsBody } from '../../domain/session-event.js';
import { SettlementBody } from '../../domain/settlement.js';
import { TraceEvent } from '../../domain/trace-event.js';
import { recordRoutes } from '../records/record-routes.js';
import { scopeMeanings } from '../auth/scopes.js';
import { AuthorizationRequest, ContextView, GoDecision, Inspection, ReceiptKeySet, RecordedDecision, StopDecision, TraceEventPage } from '../schemas/decision.js';
import { SealedEnvelope } from '../envelope-answer.js';
import { ProblemDetails, StopProblem } from '../schemas/problem.js';
import { sessionAnswers } from '../schemas/session-answers.js';

/** Every schema that the document names. */
export const sharedSchemas = [
  ContinuityEnvelope,
  InspectedEnvelope,
  AttestedControlState,
  SealRequestBody,
  RehydrateRequestBody,
  InspectRequestBody,
  SealedEnvelope,
  GoDecision,
  StopDecision,
  RecordedDecision,
  ContextView,
  AuthorizationRequest,
  Inspection,
  ReceiptKeySet,
  TraceEvent,
  TraceEventPage,
  ProblemDetails,
  StopProblem,
  AppendEventsBody,
  ...sessionAnswers,
  SettlementBody,
  ...recordRoutes.flatMap(({ body, view }) => [body, view]),
];

const scopeList = Object.entries(scopeMeanings)
  .map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`)
  .join('\n');

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>;

/** Makes the schemas of request bodies plain references again, which `documentedBody` had to wrap. */
export const bareBodies: Transform = (document) => {
  if ('swaggerObject' in document) return document.swaggerObject;
  const paths = Object.values(document.openapiObject.paths ?? {});
  for (const operation of paths.flatMap((path) => [path?.post, path?.put, path?.patch])) {
    const body = operation?.requestBody;
    if (body === undefined || '$ref' in body) continue;
    for (const media of Object.values(body.content)) {
      const { schema } = media;
      if (schema === undefined || '$ref' in schema) continue;
      const [only, ...others] = schema.allOf ?? [];
      if (only !== undefined && others.length === 0) media.schema = only;
    }
  }
  return document.openapiObject;
};

/** The head of the API document; its paths come from the routes. */
export const documentOptions: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Continuity gate',
      version: '1',
      description:
        'The service that an agent runtime must ask before it resumes after context compaction, a context reset, process recovery or a role handoff. A compacted summary is a derived, untrusted view: it carries no authority. No answer is ever an authorization.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: `A token of the identity provider, with the claims \`tenants\`, \`principals\` and \`scope\`. Scopes:\n${scopeList}`,
        },
      },
    },
    servers: [{ url: '/', description: 'This gate' }],
    tags: [
      { name: 'boundary', description: 'Before and after compaction or reset.' },
      { name: 'records', description: 'The current control state, each kind from its own system of record.' },
      { name: 'evidence', description: 'What was decided, from what, and what it left in the trace.' },
      { name: 'operation', description: 'Running the gate.' },
    ],
  },
  transformObject: bareBodies,
  refResolver: {
    buildLocalReference: (schema, _baseUri, _fragment, index) =>
      typeof schema['$id'] === 'string' ? schema['$id'] : `schema-${String(index)}`,
  },
};
