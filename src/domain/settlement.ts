import { Type } from '@sinclair/typebox';

import { readerOf } from './reader/reader.js';
import { identifier, identifierList, literalString } from './schemas.js';

/** What an unknown effect can turn out to be. */
export const settlementOutcomes = ['side_effect_committed', 'not_started'] as const;

/** Body of `POST …/side-effects/{idempotency_key}/reconciliation`. */
export const SettlementBody = Type.Object(
  {
    outcome: literalString('reconciliation outcome', 'What has become of the effect.', settlementOutcomes),
    evidence_refs: identifierList('What shows it.', 'Reference of a piece of evidence.', {
      minItems: 1,
      examples: [['provider:receipt-8812']],
    }),
    reconciled_by: identifier('Person or job that found out.', { examples: ['reconciler-1'] }),
  },
  { $id: 'SettlementBody', title: 'SettlementBody', additionalProperties: false },
);

/** Parses the body of a reconciliation. Throws `ContinuityFormatError` with all that is wrong. */
export const parseSettlement = readerOf(SettlementBody);
