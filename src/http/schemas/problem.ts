import { Type } from '@sinclair/typebox';

import { problemCodes, problems, problemType, type ProblemCode } from '../problems.js';

const problemCode = Type.Unsafe<ProblemCode>({
  type: 'string',
  enum: problemCodes,
  description: 'Stable code of the error.',
});

/** What every error says, whatever form the route gives it. */
const errorMembers = {
  title: Type.String({ description: 'What kind of error it is.' }),
  detail: Type.String({
    description: 'What is wrong; for a malformed artifact the operator error to the letter.',
  }),
  code: problemCode,
  errors: Type.Array(
    Type.Object({
      pointer: Type.String({ description: 'RFC 6901 pointer to the fault.' }),
      message: Type.String({ description: 'What is wrong there.' }),
      allowed: Type.Optional(
        Type.Array(Type.String(), { description: 'The values that are allowed there, where they are few.' }),
      ),
    }),
    {
      description:
        'Everything that is wrong with the request itself, at most 100 faults of it; `detail` tells the first.',
      maxItems: 100,
    },
  ),
  request_id: Type.String({
    description: 'Id of the request, also in the `x-request-id` header and in the log.',
  }),
};

/** One alternative a code, each with constants, so that generated types narrow on the code. */
const eachCode = (constants: (code: ProblemCode) => Record<string, string | number>) =>
  problemCodes.map((code) => ({
    type: 'object',
    required: Object.keys(constants(code)),
    properties: Object.fromEntries(
      Object.entries(constants(code)).map(([name, value]) => [name, { const: value }]),
    ),
  }));

/** RFC 9457 problem details. */
export const ProblemDetails = Type.Object(
  {
    type: Type.String({ description: 'URN of the error code.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    ...errorMembers,
    current: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'With a conflict over a record: the record as it is, without free text.',
      }),
    ),
    held_by: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'With `stale_epoch`: who holds the session.' }),
    ),
    held_since: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'With `stale_epoch`: since when.' }),
    ),
  },
  {
    $id: 'ProblemDetails',
    title: 'ProblemDetails',
    additionalProperties: false,
    // Within allOf, because generators of types take the alternatives for all there is otherwise.
    allOf: [
      { anyOf: eachCode((code) => ({ type: problemType(code), status: problems[code].status, code })) },
    ],
  },
);

/** An error of `/rehydrate`: also a stop, for runtimes that look at nothing but the decision's own members. */
export const StopProblem = Type.Object(
  {
    status: Type.Literal('continuity_validation_failed'),
    reason: problemCode,
    authorized: Type.Literal(false),
    requires_reauthorization: Type.Literal(true),
    ...errorMembers,
  },
  {
    $id: 'StopProblem',
    title: 'StopProblem',
    additionalProperties: false,
    allOf: [{ anyOf: eachCode((code) => ({ reason: code, code })) }],
  },
);
