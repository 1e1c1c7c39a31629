import { Type } from '@sinclair/typebox';

import { bodyPlace, openObject, readLiteral, readString, readStrings } from './fields.js';
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

/** Parses the body of a reconciliation. Throws `ContinuityFormatError` for the first violated rule. */
export function parseSettlement(body: unknown) {
  const fields = openObject(body, bodyPlace, SettlementBody, 'Continuity request must be an object');
  const { outcome, evidence_refs, reconciled_by } = SettlementBody.properties;
  return {
    outcome: readLiteral(fields, 'outcome', outcome),
    evidence_refs: readStrings(fields, 'evidence_refs', evidence_refs),
    reconciled_by: readString(fields, 'reconciled_by', reconciled_by),
  };
}
