import { identifierMaxLength } from '../../domain/schemas.js';
import { hasControlCharacter, isDots, isLongerThan, trimWhiteSpace } from '../../domain/text.js';

/** Whether a claim may name a subject, tenant or principal so: as the same id reads in a body once it is trimmed. */
export function isClaimId(text: string): boolean {
  return (
    text !== '' &&
    trimWhiteSpace(text) === text &&
    text.isWellFormed() &&
    !hasControlCharacter(text, { multiline: false }) &&
    !isLongerThan(text, identifierMaxLength) &&
    !isDots(text)
  );
}
