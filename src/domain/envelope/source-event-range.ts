import { Type, type Static } from '@sinclair/typebox';

import { identifier } from '../schemas.js';

/** The span of the session's event log that a summary was made from, by the ids of its first and last event. */
export const SourceEventRange = Type.Object(
  {
    first: identifier('Id of the first event that the summary covers.', { examples: ['event-0001'] }),
    last: identifier('Id of the last event that the summary covers.', { examples: ['event-0142'] }),
  },
  {
    additionalProperties: false,
    description: "The span of the session's event log that the summary was made from.",
  },
);
export type SourceEventRange = Static<typeof SourceEventRange>;
